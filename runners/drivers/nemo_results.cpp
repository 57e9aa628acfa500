#include "runners/drivers/nemo_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>

#include "datasets/runs/nemo_import.hpp"
#include "datasets/runs/nemo_row_parser.hpp"
#include "harness/error.hpp"
#include "runners/drivers/crew.hpp"
#include "runners/drivers/judged_tables.hpp"

namespace assay::runners {
namespace {

constexpr int letters_on_offer = 10;  // the rows do not say how many choices there were: NeMo-Skills' sets have up to ten

reports::NemoRow row_of(const runs::NemoRow& read) {
    const chat::Usage& usage = read.attempt.reply.usage;
    reports::NemoRow row;
    row.predicted_answer = read.predicted_answer;
    row.correct = read.symbolic_correct.value_or(false);
    row.generated_tokens = usage.completion_tokens;
    row.reasoning_tokens = usage.reasoning_tokens;
    if (usage.completion_tokens && usage.reasoning_tokens) row.answer_tokens = *usage.completion_tokens - *usage.reasoning_tokens;
    row.started_unix_s = read.attempt.started_unix_s;
    row.ended_unix_s = read.attempt.ended_unix_s;
    row.subset = read.subset;
    return row;
}

std::string file_of(int seed) {
    return fmt::format("output-rs{}.jsonl", seed);
}

questions::Question question_of(const runs::NemoRow& row) {
    const std::string& letter = row.expected_answer.value_or("");
    if (letter.size() != 1 || letter[0] < 'A' || letter[0] >= 'A' + letters_on_offer) {
        throw Error(fmt::format("question {} has expected_answer '{}', and a letter from A to J is expected: give a folder of multiple-choice results",
                                row.attempt.key.question, letter));
    }
    questions::Question question;
    question.number = row.attempt.key.question;
    question.correct = letter[0] - 'A';
    question.choices.assign(letters_on_offer, std::string());
    question.problem = row.problem.value_or("");
    question.subdomain = row.subset.value_or("");
    return question;
}

// A row read and judged.
struct JudgedRow {
    JudgedAttempt attempt;
    std::size_t identity = 0;
    bool judged = false;  // on record, with these
    std::optional<std::string> predicted;
    bool correct = false;
    std::unique_ptr<questions::Question> question{};  // of rows of the first file
};

// A block of lines read and judged, up to the first that is no row.
struct JudgedBlock {
    runs::NemoBlock place;  // without its lines
    std::vector<JudgedRow> rows;
    std::string error;
};

class RowJudge {
public:
    RowJudge(const Extractors& extractors, const Grading& grading) : extractors_(extractors), grading_(grading) {}

    JudgedBlock judge(runs::NemoBlock block) {
        JudgedBlock out;
        try {
            for_each_line(block, [&](std::string_view line, int number) {
                runs::NemoRow row;
                if (const std::string wrong = parser_.parse(line, row); !wrong.empty()) throw Error(error_text(block, number, wrong));
                row.attempt.key = {block.seed, number};
                out.rows.push_back(judged(std::move(row), block.first_file));
            });
        } catch (const Error& error) {
            out.error = error.what();
        }
        std::string().swap(block.lines);  // assigning an empty string would keep the memory
        out.place = std::move(block);
        return out;
    }

private:
    [[nodiscard]] JudgedRow judged(runs::NemoRow row, bool first_file) const {
        questions::Question question = question_of(row);
        JudgedRow out{{row.attempt.key, {}}, identity_of(row), row.judged, std::move(row.predicted_answer), row.symbolic_correct.value_or(false)};
        for (const auto* extractor : extractors_) out.attempt.cells.push_back(judged_cell(row.attempt, question, *extractor, grading_));
        if (first_file) out.question = std::make_unique<questions::Question>(std::move(question));
        return out;
    }

    runs::NemoRowParser parser_;
    const Extractors& extractors_;
    const Grading& grading_;
};

// The blocks of all files, judged, in their order. Throws for the first line that is no row of this run; only where there is none,
// what `reading` threw.
std::vector<JudgedBlock> in_order(std::vector<JudgedBlock> blocks, const std::exception_ptr& reading) {
    std::sort(blocks.begin(), blocks.end(), [](const JudgedBlock& a, const JudgedBlock& b) {
        return std::tie(a.place.seed, a.place.first_row) < std::tie(b.place.seed, b.place.first_row);
    });
    runs::SameQuestions same;
    for (const JudgedBlock& block : blocks) {
        for (const JudgedRow& row : block.rows) {
            const int number = row.attempt.key.question;
            if (!same.fits(number, row.identity)) throw Error(error_text(block.place, number, std::string(runs::other_question)));
        }
        if (!block.error.empty()) throw Error(block.error);
    }
    if (reading) std::rethrow_exception(reading);
    return blocks;
}

}  // namespace

std::string nemo_benchmark(const std::string& dataset_name) {
    return dataset_name.rfind("gpqa:", 0) == 0 ? std::string("gpqa") : dataset_name;
}

std::vector<reports::NemoRun> read_nemo_runs(const std::string& folder) {
    std::map<int, reports::NemoRun> runs;
    runs::read_nemo_results(folder, [&](const runs::NemoRow& row) {
        reports::NemoRun& run = runs[row.attempt.key.seed];
        run.file = file_of(row.attempt.key.seed);
        run.rows.push_back(row_of(row));
    });
    std::vector<reports::NemoRun> list;
    for (auto& [seed, run] : runs) list.push_back(std::move(run));
    return list;
}

RejudgedRun rejudge_nemo_results(const std::string& folder, const Extractors& extractors, const Grading& grading, Verdicts verdicts) {
    RejudgedRun out;
    out.extractors = extractors;
    Crew<runs::NemoBlock, JudgedBlock> crew(judging_threads(), [&] {
        return [judge = std::make_shared<RowJudge>(extractors, grading)](runs::NemoBlock block, std::vector<JudgedBlock>& results) {
            results.push_back(judge->judge(std::move(block)));
        };
    });
    runs::NemoContents contents;
    std::exception_ptr reading;
    try {
        contents = runs::read_nemo_blocks(folder, [&](runs::NemoBlock block) { crew.add(std::move(block)); });
    } catch (const Error&) {
        reading = std::current_exception();
    }
    std::vector<JudgedBlock> blocks = in_order(crew.finish(), reading);

    for (JudgedBlock& block : blocks) {
        for (JudgedRow& row : block.rows) {
            if (row.question) out.set.questions.push_back(std::move(*row.question));
        }
    }
    out.set.rows = contents.rows;
    out.tables.assign(extractors.size(), empty_table(out.set, contents.seeds));
    bool all_on_record = true;
    std::int64_t otherwise = 0;  // judged otherwise than on record
    std::int64_t gained = 0;     // right now, less those right on record
    for (JudgedBlock& block : blocks) {
        for (JudgedRow& row : block.rows) {
            const runs::AttemptKey key = row.attempt.key;
            put(out.tables, std::move(row.attempt));
            all_on_record = all_on_record && row.judged;
            statistics::Cell* cell = cell_at(out.tables.front(), key);
            if (row.judged && verdicts == Verdicts::read_again && cell != nullptr && cell->scored()) {
                otherwise += cell->correct != row.correct || cell->prediction != row.predicted ? 1 : 0;
                gained += static_cast<int>(cell->correct) - static_cast<int>(row.correct);
            }
            if (!row.judged || verdicts != Verdicts::recorded) continue;
            if (cell != nullptr && cell->scored()) std::tie(cell->prediction, cell->correct) = std::pair(std::move(row.predicted), row.correct);
        }
    }
    out.header.run = folder;
    out.header.source = nemo_source;
    out.header.extractor = verdicts == Verdicts::read_again || !all_on_record ? std::string(extractors.front()->name) : std::string(on_record);
    out.header.plan.dataset_name = std::filesystem::path(folder).lexically_normal().filename().string();
    out.header.plan.dataset_rows = contents.rows;
    out.header.notes = contents.notes;
    if (otherwise > 0) {
        out.header.notes.push_back(fmt::format("{} reads {} {} otherwise than {} on record there ({:+} right)", extractors.front()->name, otherwise,
                                               otherwise == 1 ? "reply" : "replies", otherwise == 1 ? "is" : "are", gained));
    }
    return out;
}

}  // namespace assay::runners

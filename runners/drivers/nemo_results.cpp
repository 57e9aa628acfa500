#include "runners/drivers/nemo_results.hpp"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <iterator>
#include <map>
#include <tuple>

#include "datasets/runs/nemo_import.hpp"
#include "harness/error.hpp"
#include "runners/drivers/judge_crew.hpp"
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
    std::deque<questions::Question> asked;  // grows while judges read its first members
    JudgeCrew crew(extractors, grading, judging_threads());
    std::map<runs::AttemptKey, std::pair<std::optional<std::string>, bool>> recorded;
    bool all_on_record = true;
    const auto contents = runs::read_nemo_results(folder, [&](runs::NemoRow row) {
        const auto index = static_cast<std::size_t>(row.attempt.key.question);
        if (index == asked.size()) asked.push_back(question_of(row));
        all_on_record = all_on_record && row.judged;
        if (row.judged && verdicts == Verdicts::on_record) {
            recorded[row.attempt.key] = {row.predicted_answer, row.symbolic_correct.value_or(false)};
        }
        crew.add(std::move(row.attempt), asked[index]);
    });
    std::vector<JudgedAttempt> attempts = crew.finish();
    out.set.questions.assign(std::make_move_iterator(asked.begin()), std::make_move_iterator(asked.end()));
    out.set.rows = contents.rows;
    out.tables = tables_of(out.set, contents.seeds, std::move(attempts), extractors.size());
    for (const auto& [key, verdict] : recorded) {
        statistics::Cell* cell = cell_at(out.tables.front(), key);
        if (cell != nullptr && cell->scored()) std::tie(cell->prediction, cell->correct) = verdict;
    }
    out.header.run = folder;
    out.header.source = "NeMo-Skills results";
    out.header.extractor = verdicts == Verdicts::read_again || !all_on_record ? std::string(extractors.front()->name) : std::string("as on record");
    out.header.plan.dataset_name = std::filesystem::path(folder).lexically_normal().filename().string();
    out.header.plan.dataset_rows = contents.rows;
    out.header.notes = contents.notes;
    return out;
}

}  // namespace assay::runners

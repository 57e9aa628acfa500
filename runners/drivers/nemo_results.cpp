#include "runners/drivers/nemo_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "datasets/runs/nemo_import.hpp"
#include "harness/error.hpp"
#include "runners/drivers/judging.hpp"

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

statistics::Cell cell_of(const runs::NemoRow& row, const questions::Question& question, const multichoice::Extractor& extractor, bool read_again) {
    statistics::Cell cell = judged_cell(row.attempt, question, extractor);
    if (cell.scored() && row.judged && !read_again) {
        cell.prediction = row.predicted_answer;
        cell.correct = row.symbolic_correct.value_or(false);
    }
    return cell;
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

JudgedRun judge_nemo_results(const std::string& folder, const std::optional<std::string>& extractor) {
    const auto& judge = multichoice::extractor_named(extractor ? std::string_view(*extractor) : multichoice::kDefaultExtractor);
    JudgedRun judged;
    std::map<runs::AttemptKey, statistics::Cell> cells;
    bool all_on_record = true;
    const auto contents = runs::read_nemo_results(folder, [&](const runs::NemoRow& row) {
        const auto index = static_cast<std::size_t>(row.attempt.key.question);
        if (index == judged.set.questions.size()) judged.set.questions.push_back(question_of(row));
        cells[row.attempt.key] = cell_of(row, judged.set.questions[index], judge, extractor.has_value());
        all_on_record = all_on_record && row.judged;
    });
    judged.table = empty_table(judged.set, contents.seeds);
    for (auto& [key, cell] : cells) {
        const auto column = std::lower_bound(contents.seeds.begin(), contents.seeds.end(), key.seed) - contents.seeds.begin();
        judged.table.cell(static_cast<std::size_t>(key.question), static_cast<std::size_t>(column)) = std::move(cell);
    }
    judged.summary = statistics::summarize(judged.table);
    judged.set.rows = contents.rows;
    judged.header.run = folder;
    judged.header.source = "NeMo-Skills results";
    judged.header.extractor = extractor || !all_on_record ? std::string(judge.name) : std::string("as on record");
    judged.header.plan.dataset_name = std::filesystem::path(folder).lexically_normal().filename().string();
    judged.header.plan.dataset_rows = contents.rows;
    judged.header.notes = contents.notes;
    return judged;
}

}  // namespace assay::runners

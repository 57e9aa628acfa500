#include "runners/drivers/derived_files.hpp"

#include <algorithm>
#include <filesystem>

#include "datasets/questions/prepared_file.hpp"
#include "datasets/runs/nemo_rows.hpp"
#include "datasets/runs/run_reader.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/read_file.hpp"
#include "reports/nemo/nemo_metrics.hpp"
#include "reports/score/score_report.hpp"
#include "runners/drivers/nemo_results.hpp"

namespace assay::runners {
namespace {

std::vector<std::string> prepared_rows(const questions::QuestionSet& set) {
    if (set.prepared) return {set.prepared_lines.begin(), set.prepared_lines.begin() + static_cast<std::ptrdiff_t>(set.questions.size())};
    std::vector<std::string> rows;
    for (const questions::Question& question : set.questions) rows.push_back(questions::prepared_row(question));
    return rows;
}

runs::NemoVerdict verdict_of(const statistics::SeedTable& table, const runs::AttemptKey& key) {
    const auto column = std::lower_bound(table.seeds.begin(), table.seeds.end(), key.seed) - table.seeds.begin();
    const statistics::Cell& cell = table.cell(static_cast<std::size_t>(key.question), static_cast<std::size_t>(column));
    return {cell.prediction, cell.correct};
}

// summary.json is written last and says what judged and what came of it: where it is as it would be written now, so
// are the others, and a finished run of gigabytes is not written again each time it is looked at.
bool up_to_date(const std::string& run, const JudgedRun& judged, const std::string& summary) {
    const auto exists = [&](const std::string& name) { return std::filesystem::exists(run + "/" + name); };
    if (!exists("summary.json") || !exists("metrics.json")) return false;
    for (const int seed : judged.table.seeds) {
        if (!exists("output-rs" + std::to_string(seed) + ".jsonl")) return false;
    }
    return files::read_file(run + "/summary.json") == summary;
}

}  // namespace

void write_derived_files(const std::string& run, const JudgedRun& judged) {
    const std::string summary = reports::score_json(judged.header, judged.summary);
    if (up_to_date(run, judged, summary)) return;
    runs::RunReader reader(run);
    // NeMo-Skills' tools read every such file of the folder: those of seeds that a stop left out must not be among them.
    for (const int seed : reader.contents().seeds_outside) std::filesystem::remove(run + "/output-rs" + std::to_string(seed) + ".jsonl");
    // Rows of a limit are the first of the file, so a question's number is its row in the table.
    runs::write_nemo_results(reader, run, judged.table.seeds, prepared_rows(judged.set),
                             [&](const runs::Attempt& attempt) { return verdict_of(judged.table, attempt.key); });
    // From the files themselves: what NeMo-Skills' own aggregation would read.
    files::replace_file(run + "/metrics.json", reports::nemo_metrics_json(reports::nemo_aggregate(
                                                   nemo_benchmark(judged.header.plan.dataset_name), read_nemo_runs(run))));
    files::replace_file(run + "/summary.json", summary);
}

}  // namespace assay::runners

// Results in NeMo-Skills' files (output-rs<seed>.jsonl), whoever wrote them, made ready for reports.
#pragma once

#include <string>
#include <vector>

#include "reports/nemo/nemo_run.hpp"
#include "runners/drivers/judged_run.hpp"

namespace assay::runners {

// The name under which NeMo-Skills knows a question set: "gpqa" for gpqa:diamond, main and extended.
[[nodiscard]] std::string nemo_benchmark(const std::string& dataset_name);

// The rows of every results file in `folder`, for its aggregation. A row that was not evaluated counts as its
// aggregation counts it: no answer. Throws assay::Error as runs::read_nemo_results does.
[[nodiscard]] std::vector<reports::NemoRun> read_nemo_runs(const std::string& folder);

enum class Verdicts : unsigned char {
    read_again,
    on_record,  // the first extractor's cells are those on record where a row has them
};

// The folder as a judged run. Rows that its harness gave up are unscored.
[[nodiscard]] RejudgedRun rejudge_nemo_results(const std::string& folder, const Extractors& extractors, const Grading& grading, Verdicts verdicts);

}  // namespace assay::runners

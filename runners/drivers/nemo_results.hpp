// Results in NeMo-Skills' files (output-rs<seed>.jsonl), whoever wrote them, made ready for reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/nemo/nemo_run.hpp"
#include "runners/drivers/judged_run.hpp"

namespace assay::runners {

// The name under which NeMo-Skills knows a question set: "gpqa" for gpqa:diamond, main and extended.
[[nodiscard]] std::string nemo_benchmark(const std::string& dataset_name);

// The rows of every results file in `folder`, for its aggregation. A row that was not evaluated counts as its
// aggregation counts it: no answer. Throws assay::Error as runs::read_nemo_results does.
[[nodiscard]] std::vector<reports::NemoRun> read_nemo_runs(const std::string& folder);

// What header.source is of such a folder, and header.extractor where every row's verdict is the one on record.
inline constexpr std::string_view nemo_source = "NeMo-Skills results";
inline constexpr std::string_view on_record = "as on record";

enum class Verdicts : unsigned char {
    read_again,
    recorded,  // the first extractor's cells are those on record where a row has them
};

// The folder as a judged run. Rows that its harness gave up are unscored.
[[nodiscard]] RejudgedRun rejudge_nemo_results(const std::string& folder, const Extractors& extractors, const Grading& grading, Verdicts verdicts);

}  // namespace assay::runners

// metrics.json and the printed table as NeMo-Skills' summarize_results makes them, byte for byte.
//
// Source: NVIDIA/NeMo-Skills of November 2025, nemo_skills/evaluation/metrics (base, math_metrics, compute_metrics) and
// pipeline/summarize_results; metrics type "multichoice", without a judge and without reward scores. Python's and
// numpy's arithmetic is kept to the last digit: sequential sums where Python sums, numpy's pairwise sums where numpy
// does. For more than 130 runs pass@k is computed in doubles and can differ in its last digit.
// Not kept: benchmarks with a dot in their name are not grouped.
//
// Every function throws assay::Error where there is no run or the runs have different numbers of rows.
// Order of `runs` does not matter; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/nemo/nemo_run.hpp"

namespace assay::reports {

// Fractions, or tokens. std_dev and std_err are over run means, ddof 1.
struct NemoStatistics {
    double avg = 0;
    double std_dev_across_runs = 0;
    double avg_sample_std_dev = 0;
    double std_err_across_runs = 0;
};

struct NemoMode {
    std::string name;  // "pass@1", "pass@1[avg-of-4]", "majority@4"
    std::int64_t entries = 0;
    std::optional<std::int64_t> avg_tokens;   // cut, not rounded; absent where no row has tokens
    std::optional<std::int64_t> gen_seconds;  // last end - first start over all runs; absent where no row has times
    double symbolic_correct = 0;              // percent
    double no_answer = 0;                     // percent
    // "reasoning_tokens", "answer_tokens", "symbolic_correct", in this order; of avg-of-k modes only.
    std::vector<std::pair<std::string, NemoStatistics>> statistics;
};

struct NemoGroup {
    std::string name;  // the benchmark's name, or "<benchmark>-<subset>"
    std::vector<NemoMode> modes;
};

// All rows first, then, where rows have subsets, each subset in order of first appearance.
[[nodiscard]] std::vector<NemoGroup> nemo_aggregate(const std::string& benchmark, const std::vector<NemoRun>& runs);

// The text of metrics.json: json.dump(indent=2), without a final line end.
[[nodiscard]] std::string nemo_metrics_json(const std::vector<NemoGroup>& groups);

// The tables that summarize_results prints, two blank lines after each. UTF-8 ("±"). Names are as they came: pass the
// text through visible_lines() before it goes to a terminal.
[[nodiscard]] std::string nemo_metrics_table(const std::vector<NemoGroup>& groups);

}  // namespace assay::reports

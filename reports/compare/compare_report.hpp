// Reports of comparisons: two runs, a greedy seed against the sampled ones, a run against published counts.
//
// Differences are B - A, run - published, greedy - sampled; in text in points (percent), in JSON as fractions. Every interval
// says which question it answers: is B worse on questions like these, or would these very questions come out the same way
// again. Text: wrapped to look.width, ends with LF. JSON: one object, ASCII, ended by LF. Same inputs, same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/score/run_header.hpp"
#include "reports/terminal/style.hpp"
#include "scorers/statistics/gate.hpp"
#include "scorers/statistics/greedy_seed.hpp"
#include "scorers/statistics/published_comparison.hpp"
#include "scorers/statistics/run_comparison.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::reports {

struct ComparisonReport {
    const RunHeader& a;
    const RunHeader& b;
    const statistics::SeedTable& table_a;  // the same questions in the same order
    const statistics::SeedTable& table_b;
    const statistics::RunComparison& comparison;
    std::optional<statistics::Gate> gate;
    std::vector<std::string> record_ids;   // by row; empty where unknown
    std::vector<std::string> differences;  // accepted with --anyway, one line each
    std::vector<std::string> notes;
};

[[nodiscard]] std::string comparison_text(const ComparisonReport& report, const Look& look);
// "format": "assay.comparison/1":
//   a, b            {run, source, model, extractor, plan_hash, budget, simulated, seeds, correct, attempts, score, within_question_variance}
//   questions {compared, left_out [numbers]}, differences, difference, omega2
//   intervals       over_questions, this_test: {low, high, level, error, degrees, method, answers}
//   tests           sign_flip {p_two_sided, answers}, within_questions {observed, mean, p_two_sided, p_b_lower, answers}, mcnemar, tango
//   flips           {cross, self_a, self_b, excess, p}: right or wrong; letter_flips: the same of letters
//   detectable      {difference, alpha, power}
//   truncation      {cut_a, cut_b, by_finished, by_cut, by_rate, questions_cut, on_cut_questions, on_other_questions}
//   moved           [{question, record_id, domain, correct_a, correct_b, change, truncated_a, truncated_b}]
//   gate            {margin, verdict, lower, upper, level, limit, unseen, lost, unscored, more_seeds {known, b, both}} or null
//   notes
[[nodiscard]] std::string comparison_json(const ComparisonReport& report);

struct PublishedReport {
    const RunHeader& run;
    std::vector<int> seeds;
    std::vector<std::int64_t> run_counts;        // right answers by seed
    std::vector<std::int64_t> published_counts;
    std::int64_t questions = 0;
    std::string source;  // "the command line", or the file
    const statistics::PublishedComparison& comparison;
    std::optional<statistics::Gate> gate;
    std::vector<std::string> notes;
};
[[nodiscard]] std::string published_text(const PublishedReport& report, const Look& look);
[[nodiscard]] std::string published_json(const PublishedReport& report);  // "assay.published_comparison/1"

// The gate of either as JUnit's XML, a suite of one case. Errors: none; the report must have a gate.
[[nodiscard]] std::string gate_junit(const ComparisonReport& report);
[[nodiscard]] std::string gate_junit(const PublishedReport& report);

struct GreedyReport {
    const RunHeader& run;
    const statistics::GreedySeed& greedy;
    std::int64_t questions = 0;
    std::vector<std::string> notes;
};
[[nodiscard]] std::string greedy_text(const GreedyReport& report, const Look& look);
[[nodiscard]] std::string greedy_json(const GreedyReport& report);  // "assay.greedy_comparison/1"

}  // namespace assay::reports

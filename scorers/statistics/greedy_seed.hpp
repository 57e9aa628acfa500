// A greedy seed against the sampled seeds of the same run. The two estimate different things (the likeliest answer, the
// average answer), so that they differ is no fault; averaging them as if they were alike is.
//
// Full tables with the greedy seed and two sampled ones or more. A truncated or empty cell without the right letter is wrong.
#pragma once

#include <cstdint>
#include <optional>

#include "scorers/statistics/exact_tests.hpp"
#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/student_t.hpp"

namespace assay::statistics {

struct GreedySeed {
    int seed = 0;
    int sampled_seeds = 0;
    std::int64_t correct = 0;  // of the greedy seed
    double score = 0;
    double sampled_mean = 0;
    double sampled_sd = 0;                      // ddof 1
    std::optional<double> distance_sd;          // (score - mean) / sd; absent where the sampled seeds are all alike
    std::optional<PredictionTest> prediction;   // likewise: t, and the rank among all
    Interval expected;                          // 95 %: where one more sampled seed would land, cut to [0, 1]
    WithinQuestionTest within_questions;        // exact, given each question's right answers
    // The sampled seeds alone: what the headline's intervals are without the greedy one.
    std::optional<Interval> over_questions;     // two questions or more
    Interval this_test;                         // cut to [0, 1]
};

[[nodiscard]] std::optional<GreedySeed> greedy_seed(const SeedTable& table, int seed);

}  // namespace assay::statistics

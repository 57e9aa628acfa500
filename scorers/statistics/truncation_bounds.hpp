// What truncation can have cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

// The score were every reply cut without an answer wrong, and were every one right (Manski 1990). `floor` credits each
// with a blind guess among `choices`. total > 0; correct + cut <= total.
struct ManskiBounds {
    Interval score;
    double floor = 0;
};
[[nodiscard]] ManskiBounds manski_bounds(std::int64_t correct, std::int64_t cut_without_answer, std::int64_t total, int choices);

// An interval that holds the true score (not the whole of the bounds) with probability `level`: both ends widened by c
// standard errors, c from Phi(c + width / max error) - Phi(-c) = level (Imbens and Manski 2004). Errors above 0.
struct ImbensManski {
    double c = 0;
    Interval interval;
};
[[nodiscard]] ImbensManski imbens_manski(const Interval& bounds, double low_error, double high_error, double level);

// The same over questions like these, with their c and the ends of question_interval() in place of normal ones, which near the
// ceiling are too long above and too short below: at 95 %, 198 questions, 16 seeds, accuracy 0.93, ICC 0.5 and one right reply in
// fifty cut it holds the upper bound 95 times in 100 and the lower one 94 (simulated: tests/unit/scorers_statistics/coverage_test.cpp;
// with normal ends 97 and 92). Of each question, of `seeds` attempts: `right`, and `at_most` were the cut ones right. Two questions
// or more. None where the spread of either is not to be seen.
[[nodiscard]] std::optional<Interval> interval_without_truncation(std::span<const std::int64_t> right,
                                                                  std::span<const std::int64_t> at_most, std::int64_t seeds, double level);

// What the cut replies would add were they right as often as the finished ones to the same question; where a question
// has no finished one, `pooled` of them (the finished rate of all). Optimistic: long attempts at a question are right
// less often. c_q right and t_q cut of n; the right ones are all finished.
struct Recovery {
    double observed = 0;  // score as it is
    double recoverable = 0;
    double adjusted = 0;  // observed + recoverable
    double upper = 0;     // every cut one right
};
[[nodiscard]] Recovery expected_recovery(std::span<const std::int64_t> correct, std::span<const std::int64_t> cut, std::int64_t n);

}  // namespace assay::statistics

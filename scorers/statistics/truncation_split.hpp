// What truncation contributed to the difference of two runs, B - A, two ways.
//
// By replies: with t the share of cut replies, f the score of the finished ones and g that of the cut ones, a run scores
// (1-t) f + t g, and the difference is exactly
//   (1-t)(f_B - f_A)  +  t (g_B - g_A)  -  (t_B - t_A)(f - g)       t, f, g: means of both runs (Kitagawa 1955)
// finished replies      cut replies        how many are cut
// Where a run has no reply of a kind, it takes the other run's score of that kind.
// By questions: those to which either run has a cut reply, and the others; exact, and paired.
// Both tables hold the same questions in the same order; every cell of a row that counts is scored.
#pragma once

#include <cstdint>
#include <span>

#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

struct TruncationSplit {
    std::int64_t cut_a = 0;
    std::int64_t cut_b = 0;
    std::int64_t attempts_a = 0;
    std::int64_t attempts_b = 0;
    double by_finished = 0;  // the three add up to the difference
    double by_cut = 0;
    double by_rate = 0;      // positive: B gains because it is cut less often
    std::int64_t questions_cut = 0;  // to which either run has a cut reply
    double on_cut_questions = 0;     // these two add up to the difference
    double on_other_questions = 0;
};

// Over the given rows, one or more.
[[nodiscard]] TruncationSplit truncation_split(const SeedTable& a, const SeedTable& b, std::span<const std::size_t> rows);

}  // namespace assay::statistics

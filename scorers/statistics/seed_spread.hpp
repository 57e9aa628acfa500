// What the right answers a seed say, and what they imply where the table behind them is not known.
//
// G_s of Q questions are right with seed s. Mean and sd (ddof 1) are of G_s / Q, from integers:
//   sd^2 = (S sum G^2 - (sum G)^2) / (S (S-1) Q^2).
// The implied figures assume seeds that differ by sampling alone (no effect of a whole run): then Q sd^2 estimates the
// within-question variance W, and V = Q/(Q-1) (p(1-p) - (S-1)/S W) the variance of question means. With 16 seeds such a W
// has a relative standard error of 37 %: say so where they are printed.
#pragma once

#include <cstdint>
#include <span>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct SeedSpread {
    double mean = 0;
    double sd = 0;
    double se = 0;           // sd / sqrt(S)
    Interval this_test;      // t over seeds, not cut
    Interval one_more_run;   // t prediction, not cut
};
// Two seeds or more, one question or more; seeds x questions below 3e9.
[[nodiscard]] SeedSpread seed_spread(std::span<const std::int64_t> correct, std::int64_t questions, double level);

struct ImpliedSpread {
    double binomial_sd = 0;       // of one run, were every question equally hard
    double dispersion = 0;        // sd^2 over its square: below 1 where questions differ
    double within = 0;            // W
    double between = 0;           // p(1-p) - W: what a single draw's variance leaves for the questions
    double kappa = 0;             // agreement of two seeds beyond chance: 1 - W / (p(1-p))
    double flip_rate = 0;         // share of questions on which two seeds disagree
    double of_means = 0;          // V
    double standard_error = 0;    // sqrt(V / Q)
    Interval over_questions;      // t_{Q-1}
    double n_eff = 0;
};
[[nodiscard]] ImpliedSpread implied_spread(std::span<const std::int64_t> correct, std::int64_t questions, double level);

}  // namespace assay::statistics

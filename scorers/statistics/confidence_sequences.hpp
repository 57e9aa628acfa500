// Intervals that hold at every look, for stopping early. Looks must follow the order in which attempts were dispatched:
// short replies end first and are right more often.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

// One answer to each of a stream of questions, independent: beta mixture (Robbins 1970). The e-value against rate p, as a
// logarithm: log(B(a+s, b+f) / (B(a, b) p^s (1-p)^f)); the sequence is { p : e-value < 1/alpha }.
[[nodiscard]] double log_e_value(std::int64_t successes, std::int64_t failures, double p, double a, double b);
[[nodiscard]] Interval beta_binomial_sequence(std::int64_t successes, std::int64_t failures, double alpha, double a, double b);

// One pass over a fixed test of `total` questions in random order: how many of them all are right. Prior-posterior ratio
// without replacement, uniform prior (Waudby-Smith and Ramdas 2020).
struct CountRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
};
[[nodiscard]] CountRange without_replacement_sequence(std::int64_t total, std::int64_t right, std::int64_t wrong, double alpha);

// For means of whole seeds: half-width after t looks of a normal-mixture sequence tuned to be narrowest at `t_best`
// (Waudby-Smith et al. 2021, arXiv 2103.06476). Approximate below about 8 looks.
struct AsymptoticSequence {
    double rho = 0;
    double half_width = 0;
};
[[nodiscard]] AsymptoticSequence asymptotic_sequence(double t, double sd, double alpha, double t_best);

// Values in [0, 1], one look a value: predictable-mixture empirical Bernstein (Waudby-Smith and Ramdas 2020), both sides.
struct EmpiricalBernstein {
    double alpha = 0.05;
    double largest_bet = 0.5;
    double prior_mean = 0.5;
    double prior_variance = 0.25;
    double prior_weight = 1;
};
[[nodiscard]] std::vector<Interval> empirical_bernstein_sequence(std::span<const double> values, const EmpiricalBernstein& settings);

}  // namespace assay::statistics

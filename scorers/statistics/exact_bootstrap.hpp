// The bootstrap over questions without drawing: the exact distribution of a mean of n values resampled with replacement,
// where the values are whole numbers (right answers, or differences of them), by convolution (Clark and Warr 2021,
// arXiv 2107.08019), and Efron's BCa interval on it (Efron 1987).
//
// z0 counts half of the ties, which matters on a lattice. A quantile is the smallest value whose cumulative probability
// reaches it.
#pragma once

#include <cstdint>
#include <span>

#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/lattice.hpp"

namespace assay::statistics {

struct ExactBootstrap {
    Lattice sums;             // of n resampled values
    double z0 = 0;            // bias correction
    double acceleration = 0;  // sum u^3 / (6 (sum u^2)^1.5), u the distances from the mean
    double alpha_low = 0;     // the probabilities whose quantiles are BCa's ends
    double alpha_high = 0;
    Interval percentile;      // in units of the mean of the values
    Interval bca;
    double standard_error = 0;
};

// Two values or more, not all equal (with equal values there is no distribution to speak of: take Wilson's interval).
[[nodiscard]] ExactBootstrap exact_bootstrap(std::span<const std::int64_t> values, double level);

}  // namespace assay::statistics

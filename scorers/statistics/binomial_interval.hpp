// Intervals for one proportion, x right of n. `level` is two-sided, 0 < level < 1; 0 <= x <= n, n > 0.
//
// Where x is 0 the low end is 0, and where x is n the high end is 1 (Wilson, Clopper-Pearson, Jeffreys).
// Sources: Wilson 1927; Clopper and Pearson 1934; Brown, Cai and DasGupta 2001 (Jeffreys, with its end rule).
#pragma once

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

// p in [0, 1]; n may be an effective, fractional number.
//   (p + z^2/2n) / (1 + z^2/n)  +/-  z/(1 + z^2/n) * sqrt(p(1-p)/n + z^2/4n^2)
[[nodiscard]] Interval wilson(double p, double n, double level);
[[nodiscard]] Interval clopper_pearson(double x, double n, double level);
[[nodiscard]] Interval jeffreys(double x, double n, double level);
[[nodiscard]] Interval uniform_prior(double x, double n, double level);  // equal tails of Beta(x+1, n-x+1)
[[nodiscard]] Interval wald(double x, double n, double level);           // not cut to [0, 1]; for comparison only

}  // namespace assay::statistics

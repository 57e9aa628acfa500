// Student's t: interval for a mean, prediction of one more value, Welch's test. `level` is two-sided.
#pragma once

#include <span>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct TInterval {
    double mean = 0;
    double sd = 0;  // ddof 1
    double se = 0;  // sd / sqrt(n)
    double t = 0;   // the quantile used, n - 1 degrees of freedom
    Interval interval;
};

// At least two values.
[[nodiscard]] TInterval t_interval(std::span<const double> values, double level);

// The ends of mean +/- t * se, given the parts.
[[nodiscard]] Interval t_interval_of(double mean, double se, double degrees, double level);

// Where one more value of the same kind falls: mean +/- t * sd * sqrt(1 + 1/n), n - 1 degrees of freedom.
[[nodiscard]] Interval t_prediction(double mean, double sd, double n, double level);

// How far `value` lies from a sample it is not part of: t = (value - mean) / (sd * sqrt(1 + 1/n)).
struct PredictionTest {
    double t = 0;
    double degrees = 0;
    double p_two_sided = 0;
    double rank_p_one_sided = 0;  // share of the n + 1 values that are at least as large
    double rank_p_two_sided = 0;  // ... at least as far from the mean of all n + 1
};
[[nodiscard]] PredictionTest t_prediction_test(double value, std::span<const double> sample);

struct TTest {
    double t = 0;
    double degrees = 0;
    double p_two_sided = 0;
};
// Two means, unequal variances (Welch 1947, degrees of freedom by Satterthwaite). At least two values on each side.
[[nodiscard]] TTest welch(std::span<const double> a, std::span<const double> b);

}  // namespace assay::statistics

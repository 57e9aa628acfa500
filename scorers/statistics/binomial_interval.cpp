#include "scorers/statistics/binomial_interval.hpp"

#include <cmath>

#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {

Interval wilson(double p, double n, double level) {
    const double z = two_sided_z(level);
    const double scale = 1 + z * z / n;
    const double centre = (p + z * z / (2 * n)) / scale;
    const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half};
}

Interval clopper_pearson(double x, double n, double level) {
    const double tail = (1 - level) / 2;
    return {x <= 0 ? 0 : beta_quantile(tail, x, n - x + 1), x >= n ? 1 : beta_quantile_upper(tail, x + 1, n - x)};
}

Interval jeffreys(double x, double n, double level) {
    const double tail = (1 - level) / 2;
    return {x <= 0 ? 0 : beta_quantile(tail, x + 0.5, n - x + 0.5), x >= n ? 1 : beta_quantile_upper(tail, x + 0.5, n - x + 0.5)};
}

Interval uniform_prior(double x, double n, double level) {
    const double tail = (1 - level) / 2;
    return {beta_quantile(tail, x + 1, n - x + 1), beta_quantile_upper(tail, x + 1, n - x + 1)};
}

Interval wald(double x, double n, double level) {
    const double p = x / n;
    const double half = two_sided_z(level) * std::sqrt(p * (1 - p) / n);
    return {p - half, p + half};
}

}  // namespace assay::statistics

#include "scorers/statistics/paired_proportions.hpp"

#include <algorithm>
#include <cmath>

#include "scorers/statistics/binomial_interval.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/roots.hpp"

namespace assay::statistics {
namespace {

struct Numbers {
    double a, b, c, d, n;
};

Numbers numbers(const PairedCells& cells) {
    const auto x = [](std::int64_t count) { return static_cast<double>(count); };
    return {x(cells.both), x(cells.a_only), x(cells.b_only), x(cells.neither),
            x(cells.both + cells.a_only + cells.b_only + cells.neither)};
}

Interval wald_of(double b, double c, double n, double level) {
    const double half = two_sided_z(level) * std::sqrt(b + c - (b - c) * (b - c) / n) / n;
    return {(b - c) / n - half, (b - c) / n + half};
}

}  // namespace

double paired_difference(const PairedCells& cells) {
    const Numbers x = numbers(cells);
    return (x.b - x.c) / x.n;
}

Interval paired_wald(const PairedCells& cells, double level) {
    const Numbers x = numbers(cells);
    return wald_of(x.b, x.c, x.n, level);
}

Interval agresti_min(const PairedCells& cells, double level) {
    const Numbers x = numbers(cells);
    return wald_of(x.b + 0.5, x.c + 0.5, x.n + 2, level);
}

double tango_z(const PairedCells& cells, double difference) {
    const Numbers x = numbers(cells);
    const double d = difference;
    // The share of b_only under the hypothesis, by maximum likelihood.
    const double linear = -x.b - x.c + (2 * x.n - x.b + x.c) * d;
    const double constant = -x.c * d * (1 - d);
    const double q = (std::sqrt(std::max(0.0, linear * linear - 8 * x.n * constant)) - linear) / (4 * x.n);
    const double variance = x.n * (2 * q + d * (1 - d));
    if (variance <= 0) return 0;
    return (x.b - x.c - x.n * d) / std::sqrt(variance);
}

Interval tango(const PairedCells& cells, double level) {
    const double z = two_sided_z(level);
    const double estimate = paired_difference(cells);
    const auto lower = [&](double d) { return z - tango_z(cells, d); };
    const auto upper = [&](double d) { return -z - tango_z(cells, d); };
    return {crossing(lower, -1, estimate), crossing(upper, estimate, 1)};
}

double newcombe_phi(const PairedCells& cells) {
    const Numbers x = numbers(cells);
    const double product = (x.a + x.b) * (x.c + x.d) * (x.a + x.c) * (x.b + x.d);
    if (product <= 0) return 0;
    double cross = x.a * x.d - x.b * x.c;
    if (cross > 0) cross = std::max(cross - x.n / 2, 0.0);
    return cross / std::sqrt(product);
}

Interval newcombe(const PairedCells& cells, double level) {
    const Numbers x = numbers(cells);
    const double p1 = (x.a + x.b) / x.n;
    const double p2 = (x.a + x.c) / x.n;
    const Interval w1 = wilson(p1, x.n, level);
    const Interval w2 = wilson(p2, x.n, level);
    const double phi = newcombe_phi(cells);
    const auto reach = [&](double u, double v) { return std::sqrt(std::max(0.0, u * u - 2 * phi * u * v + v * v)); };
    return {p1 - p2 - reach(p1 - w1.low, w2.high - p2), p1 - p2 + reach(p2 - w2.low, w1.high - p1)};
}

}  // namespace assay::statistics

#include "scorers/statistics/exact_bootstrap.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

Lattice one_draw(std::span<const std::int64_t> values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    Lattice one;
    one.lowest = *low;
    one.p.assign(static_cast<std::size_t>(*high - *low) + 1, 0.0);
    for (const std::int64_t x : values) one.p[static_cast<std::size_t>(x - *low)] += 1;
    for (double& p : one.p) p /= static_cast<double>(values.size());
    return one;
}

double acceleration_of(std::span<const std::int64_t> values, double mean) {
    double squares = 0;
    double cubes = 0;
    for (const std::int64_t x : values) {
        const double u = static_cast<double>(x) - mean;
        squares += u * u;
        cubes += u * u * u;
    }
    return cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

ExactBootstrap exact_bootstrap(std::span<const std::int64_t> values, double level) {
    const double n = static_cast<double>(values.size());
    const std::int64_t total = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    ExactBootstrap b;
    b.sums = sum_of_copies(one_draw(values), static_cast<std::int64_t>(values.size()));
    assert(b.sums.p.size() > 1);
    b.standard_error = std::sqrt(b.sums.variance()) / n;
    b.z0 = normal_quantile(b.sums.below(total) + b.sums.at(total) / 2);
    b.acceleration = acceleration_of(values, static_cast<double>(total) / n);
    const double z = two_sided_z(level);
    const auto adjusted = [&](double end) { return normal_cdf(b.z0 + (b.z0 + end) / (1 - b.acceleration * (b.z0 + end))); };
    b.alpha_low = adjusted(-z);
    b.alpha_high = adjusted(z);
    const auto interval = [&](double low, double high) {
        return Interval{static_cast<double>(b.sums.quantile(low)) / n, static_cast<double>(b.sums.quantile(high)) / n};
    };
    b.percentile = interval((1 - level) / 2, (1 + level) / 2);
    b.bca = interval(b.alpha_low, b.alpha_high);
    return b;
}

}  // namespace assay::statistics

#include "scorers/statistics/grubbs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/student_t.hpp"

namespace assay::statistics {
namespace {

double critical(double n, double tail) {
    const double t = two_sided_t(1 - 2 * tail, n - 2);
    return (n - 1) / std::sqrt(n) * std::sqrt(t * t / (n - 2 + t * t));
}

}  // namespace

Grubbs grubbs(std::span<const double> values, double alpha) {
    assert(values.size() >= 3);
    const double n = static_cast<double>(values.size());
    const TInterval t = t_interval(values, 1 - alpha);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {(*high - t.mean) / t.sd, (t.mean - *low) / t.sd, critical(n, alpha / n), critical(n, alpha / (2 * n))};
}

}  // namespace assay::statistics

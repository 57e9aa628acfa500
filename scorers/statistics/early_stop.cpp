#include "scorers/statistics/early_stop.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "scorers/statistics/philox.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/seed_intervals.hpp"

namespace assay::statistics {
namespace {

constexpr double level = 0.95;
constexpr int runs = 20'000;
constexpr int most_simulated = 100;
constexpr std::uint64_t seed = 20261130;

// Values are sd 1 and mean 0; true where the interval at the stop holds 0.
bool holds(std::uint64_t run, double bound, int first, const std::vector<double>& t) {
    const Draws draws(seed, 0, run);
    const int most = static_cast<int>(t.size()) - 1;
    double sum = 0;
    double squares = 0;
    for (int k = 1; k <= most; ++k) {
        const double value = normal_quantile(std::clamp(draws.uniform(static_cast<std::uint32_t>(k)), 1e-12, 1 - 1e-12));
        sum += value;
        squares += value * value;
        if (k < first) continue;
        const double variance = std::max(0.0, (squares - sum * sum / k) / (k - 1));
        const double half = t[static_cast<std::size_t>(k)] * std::sqrt(variance / k);
        if (half <= bound || k == most) return std::fabs(sum / k) <= half;
    }
    return false;
}

}  // namespace

double half_width_of_this_test(std::span<const std::int64_t> by_seed, std::span<const std::int64_t> by_question) {
    const SeedIntervals intervals = seed_intervals(by_seed, by_question, level);
    return intervals.this_test.high - intervals.mean;
}

double coverage_when_stopped(double sd, double bound, int first, int most) {
    assert(sd > 0 && bound > 0 && 2 <= first && first <= most);
    const int last = std::max(first, std::min(most, most_simulated));
    std::vector<double> t(static_cast<std::size_t>(last) + 1, 0.0);
    for (int k = 2; k <= last; ++k) t[static_cast<std::size_t>(k)] = two_sided_t(level, k - 1);
    int held = 0;
    for (int run = 0; run < runs; ++run) held += holds(static_cast<std::uint64_t>(run), bound / sd, first, t) ? 1 : 0;
    return static_cast<double>(held) / runs;
}

}  // namespace assay::statistics

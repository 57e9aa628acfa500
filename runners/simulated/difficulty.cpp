#include "runners/simulated/difficulty.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "harness/simulated/text.hpp"

namespace assay::runners {
namespace {

class Draws {
public:
    double uniform() { return std::max(simulated::unit(simulated::mix(0x5eed, next_++)), 0x1p-60); }
    double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }

    // The logarithm of a gamma variate (Marsaglia and Tsang 2000, with their boost for shapes below 1), since
    // the variate itself underflows for the small shapes of a high correlation.
    double log_gamma(double shape) {
        const double d = shape + 1 - 1.0 / 3;
        const double c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double x = normal();
            const double v = std::pow(1 + c * x, 3);
            if (v > 0 && std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return std::log(d * v) + std::log(uniform()) / shape;
        }
    }

    double beta(double a, double b) { return 1 / (1 + std::exp(log_gamma(b) - log_gamma(a))); }

private:
    std::uint64_t next_ = 0;
};

std::vector<double> sample(std::size_t size, double accuracy, double icc) {
    std::vector<double> values(size);
    Draws draws;
    const double s = 1 / icc - 1;
    for (std::size_t i = 0; i < size; ++i)
        values[i] = icc < 1 ? draws.beta(accuracy * s, (1 - accuracy) * s) : (static_cast<double>(i) + 0.5 < (1 - accuracy) * static_cast<double>(size) ? 0 : 1);
    std::sort(values.begin(), values.end());
    return values;
}

// Moves the mean where it was asked to be, within [0, 1] and in order.
void shift_mean(std::vector<double>& values, double accuracy) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& p : values) p = mean > accuracy ? p * accuracy / mean : 1 - (1 - p) * (1 - accuracy) / (1 - mean);
}

}  // namespace

std::vector<double> spread_of_difficulty(std::size_t questions, double accuracy, double icc) {
    if (icc <= 0 || accuracy <= 0 || accuracy >= 1) return std::vector<double>(questions, accuracy);
    // Means of equal blocks of a large sorted sample: the quantiles of the distribution, without its inverse.
    const std::size_t block = std::max<std::size_t>(8, 16'384 / std::max<std::size_t>(questions, 1));
    const std::vector<double> values = sample(questions * block, accuracy, icc);
    std::vector<double> spread;
    for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(block))
        spread.push_back(std::accumulate(at, at + static_cast<std::ptrdiff_t>(block), 0.0) / static_cast<double>(block));
    if (!spread.empty()) shift_mean(spread, accuracy);
    return spread;
}

}  // namespace assay::runners

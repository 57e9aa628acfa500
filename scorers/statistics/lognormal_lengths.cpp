#include "scorers/statistics/lognormal_lengths.hpp"

#include <cmath>
#include <set>

#include "scorers/statistics/newton.hpp"
#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

// In the parameters a = mu/sigma and b = 1/sigma, z = b log t - a, the log-likelihood is concave (Olsen 1978).
Surface log_likelihood(std::span<const Length> lengths, const Point& at) {
    const double b = at[1];
    Surface s;
    if (!(b > 0)) {
        s.value = NAN;
        return s;
    }
    for (const Length& length : lengths) {
        const double log_tokens = std::log(static_cast<double>(length.tokens));
        const double z = b * log_tokens - at[0];
        double first = -z;
        double second = -1;
        if (length.finished) {
            s.value += normal_log_density(z) + std::log(b) - log_tokens;
            s.gradient[1] += 1 / b;
            s.yy -= 1 / (b * b);
        } else {
            const double upper = normal_upper(z);
            const double hazard = std::exp(normal_log_density(z) - std::log(upper));
            s.value += std::log(upper);
            first = -hazard;
            second = -hazard * (hazard - z);
        }
        // z falls by 1 with a and rises by log t with b.
        s.gradient[0] -= first;
        s.gradient[1] += first * log_tokens;
        s.xx += second;
        s.xy -= second * log_tokens;
        s.yy += second * log_tokens * log_tokens;
    }
    return s;
}

}  // namespace

double LognormalLengths::share_longer_than(double tokens) const { return normal_upper((std::log(tokens) - mu) / sigma); }

double LognormalLengths::budget_for(double share) const { return std::exp(mu - sigma * normal_quantile(share)); }

std::optional<LognormalLengths> fit_lognormal(std::span<const Length> lengths) {
    std::set<std::int64_t> finished;
    double sum = 0;
    double squares = 0;
    for (const Length& length : lengths) {
        const double x = std::log(static_cast<double>(length.tokens));
        sum += x;
        squares += x * x;
        if (length.finished) finished.insert(length.tokens);
    }
    if (finished.size() < 2) return std::nullopt;
    const double n = static_cast<double>(lengths.size());
    const double sigma = std::sqrt(std::fmax(1e-6, squares / n - sum / n * (sum / n)));
    const auto top = maximize([&](const Point& at) { return log_likelihood(lengths, at); },
                              Point{sum / n / sigma, 1 / sigma});
    if (!top.found) return std::nullopt;
    return LognormalLengths{top.at[0] / top.at[1], 1 / top.at[1], top.value};
}

}  // namespace assay::statistics

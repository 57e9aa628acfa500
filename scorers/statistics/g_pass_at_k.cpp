#include "scorers/statistics/g_pass_at_k.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "scorers/statistics/choose.hpp"

namespace assay::statistics {

std::int64_t g_pass_threshold(std::int64_t numerator, std::int64_t denominator, std::int64_t k) {
    assert(0 <= numerator && numerator <= denominator && denominator > 0);
    return std::max<std::int64_t>(1, (numerator * k + denominator - 1) / denominator);
}

double g_pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k, std::int64_t threshold) {
    const auto p = hypergeometric(n, c, k);
    double sum = 0;
    for (std::int64_t j = std::max<std::int64_t>(0, threshold); j <= k; ++j) sum += p[static_cast<std::size_t>(j)];
    return std::min(sum, 1.0);
}

double mg_pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k) {
    const auto p = hypergeometric(n, c, k);
    const std::int64_t half = (k + 1) / 2;
    double sum = 0;
    for (std::int64_t j = half + 1; j <= k; ++j) sum += static_cast<double>(j - half) * p[static_cast<std::size_t>(j)];
    return 2 * sum / static_cast<double>(k);
}

double strict_majority_at_k(std::int64_t n, std::int64_t c, std::int64_t k) { return g_pass_at_k(n, c, k, k / 2 + 1); }

}  // namespace assay::statistics

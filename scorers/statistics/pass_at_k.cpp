#include "scorers/statistics/pass_at_k.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scorers/statistics/choose.hpp"

namespace assay::statistics {
namespace {

constexpr std::int64_t kExact = 56;

double d(std::int64_t x) { return static_cast<double>(x); }

}  // namespace

double pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k) {
    assert(1 <= k && k <= n && 0 <= c && c <= n);
    if (c == 0) return 0;
    if (n - c < k) return 1;
    if (n <= kExact) return (choose(n, k) - choose(n - c, k)) / choose(n, k);
    // C(n-c,k)/C(n,k) is symmetric in c and k; the shorter product, in logarithms so that a small pass@k keeps its digits.
    double log_miss = 0;
    for (std::int64_t i = 0; i < std::min(c, k); ++i) log_miss += std::log1p(-d(std::max(c, k)) / d(n - i));
    return -std::expm1(log_miss);
}

double pass_hat_k(std::int64_t n, std::int64_t c, std::int64_t k) {
    assert(1 <= k && k <= n && 0 <= c && c <= n);
    if (c < k) return 0;
    if (n <= kExact) return choose(c, k) / choose(n, k);
    double all = 1;
    for (std::int64_t i = 0; i < k; ++i) all *= d(c - i) / d(n - i);
    return all;
}

}  // namespace assay::statistics

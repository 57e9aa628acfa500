#include "scorers/statistics/choose.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace assay::statistics {
namespace {

constexpr std::int64_t kExact = 56;

// Ratios of neighbours from the most likely value outwards, so that nothing under- or overflows.
std::vector<double> by_ratios(std::int64_t n, std::int64_t c, std::int64_t k) {
    const std::int64_t low = std::max<std::int64_t>(0, k - (n - c));
    const std::int64_t high = std::min(c, k);
    const auto d = [](std::int64_t x) { return static_cast<double>(x); };
    std::vector<double> p(static_cast<std::size_t>(k) + 1, 0.0);
    const std::int64_t mode = std::clamp<std::int64_t>((k + 1) * (c + 1) / (n + 2), low, high);
    p[static_cast<std::size_t>(mode)] = 1;
    for (std::int64_t j = mode; j < high; ++j) {
        p[static_cast<std::size_t>(j + 1)] = p[static_cast<std::size_t>(j)] * d(c - j) * d(k - j) / (d(j + 1) * d(n - c - k + j + 1));
    }
    for (std::int64_t j = mode; j > low; --j) {
        p[static_cast<std::size_t>(j - 1)] = p[static_cast<std::size_t>(j)] * d(j) * d(n - c - k + j) / (d(c - j + 1) * d(k - j + 1));
    }
    double sum = 0;
    for (const double x : p) sum += x;
    for (double& x : p) x /= sum;
    return p;
}

}  // namespace

double choose(std::int64_t n, std::int64_t k) {
    if (k < 0 || k > n) return 0;
    k = std::min(k, n - k);
    if (n <= kExact) {
        // Each step is a whole binomial coefficient, so the division leaves no rest; the product stays below 2^63.
        std::int64_t whole = 1;
        for (std::int64_t i = 1; i <= k; ++i) whole = whole * (n - k + i) / i;
        return static_cast<double>(whole);
    }
    double value = 1;
    for (std::int64_t i = 1; i <= k; ++i) value = value * static_cast<double>(n - k + i) / static_cast<double>(i);
    return value;
}

std::vector<double> hypergeometric(std::int64_t n, std::int64_t c, std::int64_t k) {
    assert(0 <= c && c <= n && 0 <= k && k <= n);
    if (n > kExact) return by_ratios(n, c, k);
    std::vector<double> p;
    for (std::int64_t j = 0; j <= k; ++j) p.push_back(choose(c, j) * choose(n - c, k - j) / choose(n, k));
    return p;
}

}  // namespace assay::statistics

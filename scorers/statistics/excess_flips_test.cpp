#include "scorers/statistics/excess_flips_test.hpp"

#include <algorithm>
#include <cassert>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/lattice.hpp"

namespace assay::statistics {
namespace {

// The distribution of c (T - c), c of the T right ones falling to the first run.
Lattice products(std::int64_t right, std::int64_t k) {
    const std::vector<double> split = hypergeometric(2 * k, right, k);
    const std::int64_t first = std::max<std::int64_t>(0, right - k);
    const std::int64_t last = std::min(right, k);
    const std::int64_t most = (right / 2) * (right - right / 2);
    Lattice out;
    out.lowest = first * (right - first);  // the ends have the smallest product
    out.p.assign(static_cast<std::size_t>(most - out.lowest) + 1, 0.0);
    for (std::int64_t c = first; c <= last; ++c) {
        out.p[static_cast<std::size_t>(c * (right - c) - out.lowest)] += split[static_cast<std::size_t>(c)];
    }
    return out;
}

}  // namespace

double excess_flips_p(std::span<const std::int64_t> a, std::span<const std::int64_t> b, std::int64_t k) {
    assert(a.size() == b.size() && k >= 2);
    Lattice sums;
    std::int64_t observed = 0;
    for (std::size_t q = 0; q < a.size(); ++q) {
        observed += a[q] * b[q];
        sums = sum_of(products(a[q] + b[q], k), sums);
    }
    return std::min(1.0, sums.below(observed + 1));
}

}  // namespace assay::statistics

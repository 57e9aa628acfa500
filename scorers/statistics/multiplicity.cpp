#include "scorers/statistics/multiplicity.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace assay::statistics {
namespace {

// Indices by rising p; equal ones in the order given.
std::vector<std::size_t> ranked(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    return order;
}

}  // namespace

std::vector<double> bonferroni(std::span<const double> p) {
    std::vector<double> adjusted;
    for (const double x : p) adjusted.push_back(std::min(1.0, x * static_cast<double>(p.size())));
    return adjusted;
}

std::vector<double> holm(std::span<const double> p) {
    const auto order = ranked(p);
    std::vector<double> adjusted(p.size());
    double highest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        highest = std::max(highest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
        adjusted[order[i]] = highest;
    }
    return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
    const auto order = ranked(p);
    std::vector<double> adjusted(p.size());
    double lowest = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        lowest = std::min(lowest, static_cast<double>(p.size()) / static_cast<double>(i + 1) * p[order[i]]);
        adjusted[order[i]] = lowest;
    }
    return adjusted;
}

}  // namespace assay::statistics

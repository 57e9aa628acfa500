#include "scorers/statistics/bayes_at_n.hpp"

#include <cassert>
#include <cmath>

#include "scorers/statistics/sums.hpp"

namespace assay::statistics {

BayesAtN bayes_at_n(std::span<const std::int64_t> correct, std::int64_t n, double prior) {
    assert(!correct.empty());
    const double weight = static_cast<double>(n) + 2 * prior;
    Sum means;
    Sum variances;
    for (const std::int64_t c : correct) {
        const double mean = (static_cast<double>(c) + prior) / weight;
        means.add(mean);
        variances.add(mean * (1 - mean) / (weight + 1));
    }
    const double questions = static_cast<double>(correct.size());
    return {means.value() / questions, std::sqrt(variances.value()) / questions};
}

}  // namespace assay::statistics

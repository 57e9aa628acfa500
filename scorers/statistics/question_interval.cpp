#include "scorers/statistics/question_interval.hpp"

#include <algorithm>
#include <cassert>

#include "scorers/statistics/binomial_interval.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"

namespace assay::statistics {

QuestionInterval question_interval(std::span<const std::int64_t> correct, std::int64_t seeds, double level) {
    assert(correct.size() >= 2);
    const QuestionVariance v = question_variance(correct, seeds);
    const double q = static_cast<double>(v.questions);
    QuestionInterval result;
    if (seeds == 1 || v.of_means <= 0) {
        result.n_eff = result.n_used = q;
    } else {
        const double shrink = two_sided_z(level) / two_sided_t(level, q - 1);
        result.n_eff = v.mean * (1 - v.mean) * q / v.of_means;
        result.n_used = std::min(result.n_eff * shrink * shrink, q * static_cast<double>(seeds));
    }
    result.interval = wilson(v.mean, result.n_used, level);
    return result;
}

}  // namespace assay::statistics

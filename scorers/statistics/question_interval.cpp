#include "scorers/statistics/question_interval.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

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

QuestionInterval group_interval(std::span<const std::int64_t> part, std::span<const std::int64_t> all, std::int64_t seeds, double level) {
    assert(!part.empty() && all.size() >= part.size());
    const QuestionInterval whole = question_interval(all, seeds, level);
    const double share = static_cast<double>(part.size()) / static_cast<double>(all.size());
    QuestionInterval result;
    result.n_eff = whole.n_eff * share;
    result.n_used = whole.n_used * share;
    result.interval = wilson(question_variance(part, seeds).mean, result.n_used, level);
    return result;
}

std::optional<QuestionInterval> stratified_interval(std::span<const std::int64_t> correct, std::span<const int> stratum, std::int64_t seeds,
                                                    double level) {
    assert(correct.size() == stratum.size());
    std::map<int, std::vector<std::int64_t>> strata;
    for (std::size_t i = 0; i < correct.size(); ++i) strata[stratum[i]].push_back(correct[i]);
    if (strata.size() < 2) return std::nullopt;
    const double q = static_cast<double>(correct.size());
    double variance = 0;  // of the score
    for (const auto& [label, counts] : strata) {
        if (counts.size() < 2) return std::nullopt;
        const double n = static_cast<double>(counts.size());
        variance += n / q * (n / q) * question_variance(counts, seeds).of_means / n;
    }
    if (variance <= 0) return std::nullopt;
    const double p = question_variance(correct, seeds).mean;
    const double shrink = two_sided_z(level) / two_sided_t(level, q - static_cast<double>(strata.size()));
    QuestionInterval result;
    result.n_eff = p * (1 - p) / variance;
    result.n_used = std::min(result.n_eff * shrink * shrink, q * static_cast<double>(seeds));
    result.interval = wilson(p, result.n_used, level);
    return result;
}

}  // namespace assay::statistics

#include "scorers/statistics/question_variance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace assay::statistics {

QuestionVariance question_variance(std::span<const std::int64_t> correct, std::int64_t seeds) {
    assert(!correct.empty() && seeds >= 1);
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    std::int64_t mixed = 0;
    for (const std::int64_t c : correct) {
        assert(0 <= c && c <= seeds);
        sum += c;
        squares += c * c;
        mixed += c * (seeds - c);
    }
    const auto d = [](std::int64_t x) { return static_cast<double>(x); };
    QuestionVariance v;
    v.questions = static_cast<std::int64_t>(correct.size());
    v.seeds = seeds;
    const double q = d(v.questions);
    const double s = d(seeds);
    v.mean = d(sum) / (q * s);
    if (v.questions >= 2) v.of_means = d(v.questions * squares - sum * sum) / (q * (q - 1) * s * s);
    v.standard_error = std::sqrt(v.of_means / q);
    if (seeds < 2) return v;
    v.within = d(mixed) / (q * s * (s - 1));
    v.between = v.of_means - *v.within / s;
    if (*v.between + *v.within > 0) v.icc = *v.between / (*v.between + *v.within);
    v.fixed_error = std::sqrt(*v.within / (q * s));
    return v;
}

double standard_error_with(const QuestionVariance& v, double seeds) {
    assert(v.within && v.between);
    return std::sqrt(std::max(0.0, *v.between + *v.within / seeds) / static_cast<double>(v.questions));
}

}  // namespace assay::statistics

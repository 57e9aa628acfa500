#include "scorers/statistics/beta_binomial.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/newton.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"

namespace assay::statistics {
namespace {

constexpr double kLargest = 1e6;  // of a + b: beyond it the questions are equally hard for all that 16 seeds can show

// In log a and log b, so that both stay above 0.
Surface log_likelihood(const std::vector<std::int64_t>& questions_by_correct, const Point& at) {
    const double a = std::exp(at[0]);
    const double b = std::exp(at[1]);
    const auto seeds = static_cast<std::int64_t>(questions_by_correct.size()) - 1;
    const double s = static_cast<double>(seeds);
    Surface in_ab;  // derivatives in a and b themselves
    for (std::int64_t count = 0; count <= seeds; ++count) {
        const double n = static_cast<double>(questions_by_correct[static_cast<std::size_t>(count)]);
        if (n == 0) continue;
        const double c = static_cast<double>(count);
        in_ab.value += n * (std::log(choose(seeds, count)) + log_beta(a + c, b + s - c) - log_beta(a, b));
        const double shared = digamma(a + b) - digamma(a + b + s);
        const double bent = trigamma(a + b) - trigamma(a + b + s);
        in_ab.gradient[0] += n * (digamma(a + c) - digamma(a) + shared);
        in_ab.gradient[1] += n * (digamma(b + s - c) - digamma(b) + shared);
        in_ab.xx += n * (trigamma(a + c) - trigamma(a) + bent);
        in_ab.yy += n * (trigamma(b + s - c) - trigamma(b) + bent);
        in_ab.xy += n * bent;
    }
    const Point gradient{in_ab.gradient[0] * a, in_ab.gradient[1] * b};
    return {in_ab.value, gradient, in_ab.xx * a * a + gradient[0], in_ab.xy * a * b, in_ab.yy * b * b + gradient[1]};
}

}  // namespace

std::optional<BetaBinomial> fit_beta_binomial(std::span<const std::int64_t> correct, std::int64_t seeds) {
    const QuestionVariance v = question_variance(correct, seeds);
    if (v.mean <= 0 || v.mean >= 1 || !v.icc) return std::nullopt;
    std::vector<std::int64_t> questions_by_correct(static_cast<std::size_t>(seeds) + 1, 0);
    for (const std::int64_t c : correct) ++questions_by_correct[static_cast<std::size_t>(c)];
    const double icc = std::clamp(*v.icc, 0.01, 0.99);
    const double together = 1 / icc - 1;
    const auto top = maximize([&](const Point& at) { return log_likelihood(questions_by_correct, at); },
                              Point{std::log(v.mean * together), std::log((1 - v.mean) * together)});
    const BetaBinomial fit{std::exp(top.at[0]), std::exp(top.at[1]), top.value};
    if (!top.found || fit.a + fit.b > kLargest) return std::nullopt;
    return fit;
}

}  // namespace assay::statistics

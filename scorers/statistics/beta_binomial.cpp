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
Surface log_likelihood(const std::vector<std::int64_t>& questions_by_correct, const Eigen::Vector2d& at) {
    const double a = std::exp(at[0]);
    const double b = std::exp(at[1]);
    const auto seeds = static_cast<std::int64_t>(questions_by_correct.size()) - 1;
    const double s = static_cast<double>(seeds);
    Eigen::Vector2d gradient = Eigen::Vector2d::Zero();  // in a and b
    Eigen::Matrix2d hessian = Eigen::Matrix2d::Zero();
    Surface surface;
    for (std::int64_t count = 0; count <= seeds; ++count) {
        const double n = static_cast<double>(questions_by_correct[static_cast<std::size_t>(count)]);
        if (n == 0) continue;
        const double c = static_cast<double>(count);
        surface.value += n * (std::log(choose(seeds, count)) + log_beta(a + c, b + s - c) - log_beta(a, b));
        const double shared = digamma(a + b) - digamma(a + b + s);
        const double bent = trigamma(a + b) - trigamma(a + b + s);
        gradient += n * Eigen::Vector2d(digamma(a + c) - digamma(a) + shared, digamma(b + s - c) - digamma(b) + shared);
        hessian(0, 0) += n * (trigamma(a + c) - trigamma(a) + bent);
        hessian(1, 1) += n * (trigamma(b + s - c) - trigamma(b) + bent);
        hessian(0, 1) += n * bent;
    }
    hessian(1, 0) = hessian(0, 1);
    const Eigen::Vector2d scale(a, b);
    surface.gradient = gradient.cwiseProduct(scale);
    surface.hessian = hessian.cwiseProduct(scale * scale.transpose());
    surface.hessian.diagonal() += surface.gradient;
    return surface;
}

}  // namespace

std::optional<BetaBinomial> fit_beta_binomial(std::span<const std::int64_t> correct, std::int64_t seeds) {
    const QuestionVariance v = question_variance(correct, seeds);
    if (v.mean <= 0 || v.mean >= 1 || !v.icc) return std::nullopt;
    std::vector<std::int64_t> questions_by_correct(static_cast<std::size_t>(seeds) + 1, 0);
    for (const std::int64_t c : correct) ++questions_by_correct[static_cast<std::size_t>(c)];
    const double icc = std::clamp(*v.icc, 0.01, 0.99);
    const double together = 1 / icc - 1;
    const auto top = maximize([&](const Eigen::Vector2d& at) { return log_likelihood(questions_by_correct, at); },
                              Eigen::Vector2d(std::log(v.mean * together), std::log((1 - v.mean) * together)));
    const BetaBinomial fit{std::exp(top.at[0]), std::exp(top.at[1]), top.value};
    if (!top.found || fit.a + fit.b > kLargest) return std::nullopt;
    return fit;
}

}  // namespace assay::statistics

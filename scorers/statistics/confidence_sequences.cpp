#include "scorers/statistics/confidence_sequences.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/roots.hpp"
#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

double real(std::int64_t x) { return static_cast<double>(x); }

}  // namespace

double log_e_value(std::int64_t successes, std::int64_t failures, double p, double a, double b) {
    const double s = real(successes);
    const double f = real(failures);
    double log_e = log_beta(a + s, b + f) - log_beta(a, b);
    if (successes > 0) log_e -= s * std::log(p);
    if (failures > 0) log_e -= f * std::log1p(-p);
    return log_e;
}

Interval beta_binomial_sequence(std::int64_t successes, std::int64_t failures, double alpha, double a, double b) {
    const double limit = -std::log(alpha);
    const double p = successes + failures == 0 ? 0.5 : real(successes) / real(successes + failures);
    const auto over = [&](double x) { return log_e_value(successes, failures, x, a, b) - limit; };
    Interval interval{0, 1};
    if (successes > 0) interval.low = crossing([&](double x) { return -over(x); }, 0, p);
    if (failures > 0) interval.high = crossing(over, p, 1);
    return interval;
}

CountRange without_replacement_sequence(std::int64_t total, std::int64_t right, std::int64_t wrong, double alpha) {
    assert(right >= 0 && wrong >= 0 && right + wrong <= total);
    // log of C(K, right) C(total - K, wrong), K = right .. total - wrong, from neighbour to neighbour.
    std::vector<double> log_likelihood{0};
    for (std::int64_t k = right; k < total - wrong; ++k) {
        log_likelihood.push_back(log_likelihood.back() + std::log(real(k + 1) / real(k + 1 - right)) +
                                 std::log(real(total - k - wrong) / real(total - k)));
    }
    const double top = *std::max_element(log_likelihood.begin(), log_likelihood.end());
    Sum mixture;
    for (const double x : log_likelihood) mixture.add(std::exp(x - top));
    const double mean = mixture.value() / real(total + 1);
    CountRange range{total - wrong, right};
    for (std::size_t i = 0; i < log_likelihood.size(); ++i) {
        if (mean >= std::exp(log_likelihood[i] - top) / alpha) continue;
        const std::int64_t k = right + static_cast<std::int64_t>(i);
        range.low = std::min(range.low, k);
        range.high = std::max(range.high, k);
    }
    return range;
}

AsymptoticSequence asymptotic_sequence(double t, double sd, double alpha, double t_best) {
    const double log_alpha = -2 * std::log(alpha);
    const double rho = std::sqrt((log_alpha + std::log(log_alpha) + 1) / t_best);
    const double scale = t * rho * rho;
    return {rho, sd * std::sqrt(2 * (scale + 1) / (t * scale) * std::log(std::sqrt(scale + 1) / alpha))};
}

std::vector<Interval> empirical_bernstein_sequence(std::span<const double> values, const EmpiricalBernstein& settings) {
    const double log_alpha = std::log(2 / settings.alpha);
    double sum = 0;
    double squares = 0;
    double variance = settings.prior_variance;  // as known before the value
    double bets = 0;
    double betted = 0;
    double spread = 0;
    std::vector<Interval> sequence;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double t = static_cast<double>(i + 1);
        const double x = values[i];
        const double bet = std::min(settings.largest_bet, std::sqrt(2 * log_alpha / (t * std::log(1 + t) * variance)));
        const double centre = i == 0 ? 0 : sum / static_cast<double>(i);
        bets += bet;
        betted += bet * x;
        spread += (x - centre) * (x - centre) * (-std::log1p(-bet) - bet);
        const double half = (log_alpha + spread) / bets;
        sequence.push_back({std::max(0.0, betted / bets - half), std::min(1.0, betted / bets + half)});
        sum += x;
        const double mean = (settings.prior_weight * settings.prior_mean + sum) / (t + settings.prior_weight);
        squares += (x - mean) * (x - mean);
        variance = (settings.prior_weight * settings.prior_variance + squares) / (t + settings.prior_weight);
    }
    return sequence;
}

}  // namespace assay::statistics

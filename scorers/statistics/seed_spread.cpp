#include "scorers/statistics/seed_spread.hpp"

#include <cassert>
#include <cmath>

#include "scorers/statistics/student_t.hpp"

namespace assay::statistics {

SeedSpread seed_spread(std::span<const std::int64_t> correct, std::int64_t questions, double level) {
    assert(correct.size() >= 2 && questions >= 1);
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    for (const std::int64_t g : correct) {
        sum += g;
        squares += g * g;
    }
    const auto seeds = static_cast<std::int64_t>(correct.size());
    const double s = static_cast<double>(seeds);
    const double q = static_cast<double>(questions);
    SeedSpread spread;
    spread.mean = static_cast<double>(sum) / (q * s);
    spread.sd = std::sqrt(static_cast<double>(seeds * squares - sum * sum) / (s * (s - 1))) / q;
    spread.se = spread.sd / std::sqrt(s);
    spread.this_test = t_interval_of(spread.mean, spread.se, s - 1, level);
    spread.one_more_run = t_prediction(spread.mean, spread.sd, s, level);
    return spread;
}

ImpliedSpread implied_spread(std::span<const std::int64_t> correct, std::int64_t questions, double level) {
    assert(questions >= 2);
    const SeedSpread seen = seed_spread(correct, questions, level);
    const double q = static_cast<double>(questions);
    const double s = static_cast<double>(correct.size());
    const double p = seen.mean;
    ImpliedSpread implied;
    implied.binomial_sd = std::sqrt(p * (1 - p) / q);
    implied.dispersion = seen.sd * seen.sd / (implied.binomial_sd * implied.binomial_sd);
    implied.within = q * seen.sd * seen.sd;
    implied.between = p * (1 - p) - implied.within;
    implied.kappa = 1 - implied.within / (p * (1 - p));
    implied.flip_rate = 2 * implied.within;
    implied.of_means = q / (q - 1) * (p * (1 - p) - (s - 1) / s * implied.within);
    implied.standard_error = std::sqrt(implied.of_means / q);
    implied.over_questions = t_interval_of(p, implied.standard_error, q - 1, level);
    implied.n_eff = p * (1 - p) / (implied.standard_error * implied.standard_error);
    return implied;
}

}  // namespace assay::statistics

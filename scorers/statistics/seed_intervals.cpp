#include "scorers/statistics/seed_intervals.hpp"

#include <cassert>
#include <cmath>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/seed_spread.hpp"

namespace assay::statistics {

SeedIntervals seed_intervals(std::span<const std::int64_t> by_seed, std::span<const std::int64_t> by_question, double level) {
    assert(by_seed.size() >= 2 && !by_question.empty());
    const SeedSpread spread = seed_spread(by_seed, static_cast<std::int64_t>(by_question.size()), level);
    const QuestionVariance v = question_variance(by_question, static_cast<std::int64_t>(by_seed.size()));
    SeedIntervals out{spread.mean, spread.sd, spread.se, *v.fixed_error, false, spread.this_test, spread.one_more_run};
    if (spread.sd > 0 || out.fixed_error <= 0) return out;
    out.within_questions = true;
    const double half = two_sided_z(level) * out.fixed_error;
    const double further = half * std::sqrt(static_cast<double>(by_seed.size()) + 1);
    out.this_test = {out.mean - half, out.mean + half};
    out.one_more_run = {out.mean - further, out.mean + further};
    return out;
}

}  // namespace assay::statistics

#include "scorers/statistics/truncation_bounds.hpp"

#include <algorithm>
#include <cassert>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/roots.hpp"
#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

double real(std::int64_t x) { return static_cast<double>(x); }

}  // namespace

ManskiBounds manski_bounds(std::int64_t correct, std::int64_t cut_without_answer, std::int64_t total, int choices) {
    assert(total > 0 && correct + cut_without_answer <= total && choices > 0);
    return {{real(correct) / real(total), real(correct + cut_without_answer) / real(total)},
            (real(correct) + real(cut_without_answer) / choices) / real(total)};
}

ImbensManski imbens_manski(const Interval& bounds, double low_error, double high_error, double level) {
    const double gap = (bounds.high - bounds.low) / std::max(low_error, high_error);
    const double c = crossing([&](double x) { return normal_cdf(x + gap) - normal_cdf(-x) - level; }, 0, 40);
    return {c, {bounds.low - c * low_error, bounds.high + c * high_error}};
}

std::optional<Interval> interval_without_truncation(std::span<const std::int64_t> right, std::span<const std::int64_t> at_most,
                                                    std::int64_t seeds, double level) {
    const QuestionVariance low = question_variance(right, seeds);
    const QuestionVariance high = question_variance(at_most, seeds);
    if (low.standard_error <= 0 || high.standard_error <= 0) return std::nullopt;
    const double c = imbens_manski({low.mean, high.mean}, low.standard_error, high.standard_error, level).c;
    const double of_an_end = normal_cdf(c) - normal_cdf(-c);
    return Interval{question_interval(right, seeds, of_an_end).interval.low, question_interval(at_most, seeds, of_an_end).interval.high};
}

Recovery expected_recovery(std::span<const std::int64_t> correct, std::span<const std::int64_t> cut, std::int64_t n) {
    assert(correct.size() == cut.size() && !correct.empty() && n > 0);
    std::int64_t right = 0;
    std::int64_t cuts = 0;
    for (std::size_t q = 0; q < correct.size(); ++q) {
        right += correct[q];
        cuts += cut[q];
    }
    const double all = real(n) * static_cast<double>(correct.size());
    const double finished = all - real(cuts);
    const double pooled = finished > 0 ? real(right) / finished : 0;
    Sum more;
    for (std::size_t q = 0; q < correct.size(); ++q) {
        const double rate = cut[q] < n ? real(correct[q]) / real(n - cut[q]) : pooled;
        more.add(real(cut[q]) * rate);
    }
    Recovery r;
    r.observed = real(right) / all;
    r.recoverable = more.value() / all;
    r.adjusted = r.observed + r.recoverable;
    r.upper = real(right + cuts) / all;
    return r;
}

}  // namespace assay::statistics

#include "scorers/statistics/paired_questions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"

namespace assay::statistics {
namespace {

double upper_tail(double t, double degrees) { return std::isinf(degrees) ? normal_upper(t) : student_t_upper(t, degrees); }

double upper_point(double level, double degrees) {
    return std::isinf(degrees) ? two_sided_z(2 * level - 1) : two_sided_t(2 * level - 1, degrees);
}

// Integer sums of d, d^2 and of the product of both sides' counts.
struct Moments {
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    std::int64_t products = 0;
};

}  // namespace

std::vector<std::int64_t> whole_differences(const RunCounts& a, const RunCounts& b) {
    assert(a.correct.size() == b.correct.size());
    const std::int64_t common = std::gcd(a.seeds, b.seeds);
    std::vector<std::int64_t> d;
    for (std::size_t q = 0; q < a.correct.size(); ++q) {
        d.push_back(b.seeds / common * a.correct[q] - a.seeds / common * b.correct[q]);
    }
    return d;
}

PairedQuestions paired_questions(const RunCounts& a, const RunCounts& b) {
    const auto d = whole_differences(a, b);
    assert(d.size() >= 2);
    Moments m;
    for (std::size_t q = 0; q < d.size(); ++q) {
        m.sum += d[q];
        m.squares += d[q] * d[q];
        m.products += a.correct[q] * b.correct[q];
    }
    const auto real = [](std::int64_t x) { return static_cast<double>(x); };
    const auto questions = static_cast<std::int64_t>(d.size());
    const double q = real(questions);
    const double unit = real(std::lcm(a.seeds, b.seeds));
    PairedQuestions p;
    p.difference = real(m.sum) / (q * unit);
    p.sd = std::sqrt(real(questions * m.squares - m.sum * m.sum) / (q * (q - 1))) / unit;
    p.error = p.sd / std::sqrt(q);
    p.degrees = q - 1;
    const QuestionVariance va = question_variance(a.correct, a.seeds);
    const QuestionVariance vb = question_variance(b.correct, b.seeds);
    p.unpaired_error = std::sqrt((va.of_means + vb.of_means) / q);
    if (va.of_means > 0 && vb.of_means > 0) {
        const double covariance = (real(m.products) / (real(a.seeds) * real(b.seeds)) - q * va.mean * vb.mean) / (q - 1);
        p.correlation = covariance / std::sqrt(va.of_means * vb.of_means);
    }
    if (va.within && vb.within) {
        const double sampling = *va.within / real(a.seeds) + *vb.within / real(b.seeds);
        p.this_test = std::sqrt(sampling / q);
        p.omega2 = p.sd * p.sd - sampling;
    }
    return p;
}

double p_above(const Estimate& e, double bound) { return upper_tail((e.difference - bound) / e.error, e.degrees); }

double lower_bound(const Estimate& e, double one_sided_level) {
    return e.difference - upper_point(one_sided_level, e.degrees) * e.error;
}

Interval two_sided_interval(const Estimate& e, double level) {
    const double half = upper_point((1 + level) / 2, e.degrees) * e.error;
    return {e.difference - half, e.difference + half};
}

Equivalence equivalence(const Estimate& e, double low, double high, double alpha) {
    Equivalence test;
    test.t_low = (e.difference - low) / e.error;
    test.t_high = (e.difference - high) / e.error;
    test.p_low = upper_tail(test.t_low, e.degrees);
    test.p_high = upper_tail(-test.t_high, e.degrees);
    test.p = std::max(test.p_low, test.p_high);
    test.interval = two_sided_interval(e, 1 - 2 * alpha);
    return test;
}

}  // namespace assay::statistics

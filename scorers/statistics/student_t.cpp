#include "scorers/statistics/student_t.hpp"

#include <cassert>
#include <cmath>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

struct Moments {
    double n;
    double mean;
    double variance;  // ddof 1
};

Moments moments(std::span<const double> values) {
    assert(values.size() >= 2);
    const double n = static_cast<double>(values.size());
    const double mean = sum(values) / n;
    Sum squares;
    for (const double x : values) squares.add((x - mean) * (x - mean));
    return {n, mean, squares.value() / (n - 1)};
}

}  // namespace

Interval t_interval_of(double mean, double se, double degrees, double level) {
    const double half = two_sided_t(level, degrees) * se;
    return {mean - half, mean + half};
}

TInterval t_interval(std::span<const double> values, double level) {
    const Moments m = moments(values);
    const double sd = std::sqrt(m.variance);
    const double se = sd / std::sqrt(m.n);
    return {m.mean, sd, se, two_sided_t(level, m.n - 1), t_interval_of(m.mean, se, m.n - 1, level)};
}

Interval t_prediction(double mean, double sd, double n, double level) {
    return t_interval_of(mean, sd * std::sqrt(1 + 1 / n), n - 1, level);
}

PredictionTest t_prediction_test(double value, std::span<const double> sample) {
    const Moments m = moments(sample);
    PredictionTest test;
    test.t = (value - m.mean) / std::sqrt(m.variance * (1 + 1 / m.n));
    test.degrees = m.n - 1;
    test.p_two_sided = student_t_two_sided(test.t, test.degrees);
    const double centre = (m.mean * m.n + value) / (m.n + 1);
    // Equal values must count as equal although their distances are rounded.
    const double distance = std::fabs(value - centre) * (1 - 1e-12);
    double as_large = 1;
    double as_far = 1;
    for (const double x : sample) {
        as_large += x >= value ? 1 : 0;
        as_far += std::fabs(x - centre) >= distance ? 1 : 0;
    }
    test.rank_p_one_sided = as_large / (m.n + 1);
    test.rank_p_two_sided = as_far / (m.n + 1);
    return test;
}

TTest welch(std::span<const double> a, std::span<const double> b) {
    const Moments ma = moments(a);
    const Moments mb = moments(b);
    const double va = ma.variance / ma.n;
    const double vb = mb.variance / mb.n;
    TTest test;
    test.t = (ma.mean - mb.mean) / std::sqrt(va + vb);
    test.degrees = (va + vb) * (va + vb) / (va * va / (ma.n - 1) + vb * vb / (mb.n - 1));
    test.p_two_sided = student_t_two_sided(test.t, test.degrees);
    return test;
}

}  // namespace assay::statistics

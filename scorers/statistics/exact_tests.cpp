#include "scorers/statistics/exact_tests.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/lattice.hpp"
#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

double at_least_as_far(const Lattice& sums, double centre, double distance) {
    // The centre is rounded; values at exactly the observed distance must count.
    const double reach = distance - 1e-9;
    Sum sum;
    for (std::int64_t x = sums.lowest; x <= sums.highest(); ++x) {
        if (std::fabs(static_cast<double>(x) - centre) >= reach) sum.add(sums.at(x));
    }
    return std::min(1.0, sum.value());
}

}  // namespace

SignFlipTest sign_flip_test(std::span<const std::int64_t> differences) {
    SignFlipTest test;
    Lattice sums;
    for (const std::int64_t d : differences) {
        test.observed += d;
        const std::int64_t size = std::abs(d);
        if (size == 0) continue;  // its sign changes nothing
        Lattice flip{-size, std::vector<double>(2 * static_cast<std::size_t>(size) + 1, 0.0)};
        flip.p.front() = flip.p.back() = 0.5;
        sums = sum_of(flip, sums);
    }
    test.p_greater = std::min(1.0, sums.at_least(test.observed));
    test.p_two_sided = at_least_as_far(sums, 0, static_cast<double>(std::abs(test.observed)));
    return test;
}

WithinQuestionTest within_question_test(std::span<const std::int64_t> a_correct, std::int64_t k_a,
                                        std::span<const std::int64_t> b_correct, std::int64_t k_b) {
    assert(a_correct.size() == b_correct.size());
    WithinQuestionTest test;
    Lattice sums;
    for (std::size_t q = 0; q < a_correct.size(); ++q) {
        test.observed += a_correct[q];
        sums = sum_of(sums, Lattice{0, hypergeometric(k_a + k_b, a_correct[q] + b_correct[q], k_a)});
    }
    test.mean = sums.mean();
    test.variance = sums.variance();
    test.p_greater = std::min(1.0, sums.at_least(test.observed));
    test.p_less = std::min(1.0, sums.below(test.observed + 1));
    test.p_two_sided = at_least_as_far(sums, test.mean, std::fabs(static_cast<double>(test.observed) - test.mean));
    return test;
}

}  // namespace assay::statistics

// Exact permutation tests for two runs of the same questions, by convolution instead of drawing.
//
// They answer different questions. Sign flips: is there a difference on questions like these (the differences are
// symmetric about 0)? Within questions: did the answers to these very questions come from one system? The latter is the
// sharper one, and where questions really differ in both directions it rejects more often than the former.
// Absent or unscored cells: give only questions whose cells are all scored.
#pragma once

#include <cstdint>
#include <span>

namespace assay::statistics {

struct SignFlipTest {
    std::int64_t observed = 0;  // sum of the differences
    double p_two_sided = 1;     // share of sign patterns with a sum at least as far from 0
    double p_greater = 1;       // ... with a sum at least as large
};
// Differences as whole numbers: with k_a and k_b answers a question, (k_b c_a - k_a c_b) / gcd(k_a, k_b).
[[nodiscard]] SignFlipTest sign_flip_test(std::span<const std::int64_t> differences);

struct WithinQuestionTest {
    std::int64_t observed = 0;  // right answers of a
    double mean = 0;            // their expectation, given the right answers of both together
    double variance = 0;
    double p_greater = 1;
    double p_less = 1;
    double p_two_sided = 1;  // at least as far from the mean
};
// Given the T_q right ones among k_a + k_b answers to a question, those of a are hypergeometric, independently by question
// (Mantel-Haenszel's conditioning). With k_a = 1 their total is Poisson-binomial: one run against k others.
[[nodiscard]] WithinQuestionTest within_question_test(std::span<const std::int64_t> a_correct, std::int64_t k_a,
                                                      std::span<const std::int64_t> b_correct, std::int64_t k_b);

}  // namespace assay::statistics

// Run A against run B on the same questions, several seeds each; the numbers of seeds may differ.
//
// With x the share of right answers to a question, d_q = x_Aq - x_Bq; the estimate is mean d. Two standard errors:
//   over questions like these  sd(d) / sqrt(Q)                       t, Q - 1 degrees of freedom
//   on this test only          sqrt((W_A/k_A + W_B/k_B) / Q)         normal
// W: within-question variance (question_variance.hpp). omega^2 = Var(d) - W_A/k_A - W_B/k_B is the variance of the true
// differences between questions (Miller 2024, arXiv 2411.00640). Rows of unscored cells must be left out by the caller,
// and said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct RunCounts {
    std::span<const std::int64_t> correct;  // a question, each 0..seeds
    std::int64_t seeds = 0;
};

struct PairedQuestions {
    double difference = 0;
    double sd = 0;                     // of d, ddof 1
    double error = 0;                  // over questions like these
    double degrees = 0;                // Q - 1
    std::optional<double> this_test;   // error on this test only; two seeds or more on both sides
    std::optional<double> omega2;      // likewise; may come out below 0
    double correlation = 0;            // of x_A and x_B; 0 where either does not vary
    double unpaired_error = 0;         // what ignoring the pairing would give
};
// Two questions or more, the same on both sides.
[[nodiscard]] PairedQuestions paired_questions(const RunCounts& a, const RunCounts& b);

// d_q times lcm(k_A, k_B), as whole numbers.
[[nodiscard]] std::vector<std::int64_t> whole_differences(const RunCounts& a, const RunCounts& b);

// A difference, its error (above 0) and degrees of freedom (infinite: the normal distribution) against margins.
struct Estimate {
    double difference = 0;
    double error = 0;
    double degrees = 0;
};

// p that the difference exceeds `bound`, one-sided: small where difference > bound is supported.
[[nodiscard]] double p_above(const Estimate& e, double bound);
[[nodiscard]] double lower_bound(const Estimate& e, double one_sided_level);
[[nodiscard]] Interval two_sided_interval(const Estimate& e, double level);

// Two one-sided tests (Schuirmann 1987): is the difference inside (low, high)?
struct Equivalence {
    double t_low = 0;   // (difference - low) / error
    double p_low = 1;   // difference > low
    double t_high = 0;  // (difference - high) / error
    double p_high = 1;  // difference < high
    double p = 1;       // the larger
    Interval interval;  // level 1 - 2 alpha; inside (low, high) where p < alpha
};
[[nodiscard]] Equivalence equivalence(const Estimate& e, double low, double high, double alpha);

}  // namespace assay::statistics

// Where the spread of a score comes from: the questions, or the sampling of answers to each.
//
// c_q of S answers to question q are right, Q questions. With x_q = c_q / S and p = mean x_q:
//   within   W = mean of c(S-c) / (S(S-1))      unbiased for the mean of p_q (1 - p_q)
//   of means V = sum (x_q - p)^2 / (Q-1)
//   between  B = V - W/S                        may come out below 0 where questions hardly differ
// Standard error over questions like these: sqrt(V/Q); it holds the sampling noise already. Over further runs of
// these questions only: sqrt(W/(QS)). (Miller 2024, arXiv 2411.00640; law of total variance.)
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace assay::statistics {

struct QuestionVariance {
    std::int64_t questions = 0;
    std::int64_t seeds = 0;
    double mean = 0;
    double of_means = 0;                // V; two questions or more, else 0
    std::optional<double> within;       // W; two seeds or more
    std::optional<double> between;      // B; likewise
    std::optional<double> icc;          // B / (B + W): intraclass correlation; absent where B + W is 0
    double standard_error = 0;          // sqrt(V / Q)
    std::optional<double> fixed_error;  // sqrt(W / (Q S))
};

// Right answers a question, each 0..seeds. Questions x seeds below 3e9, so that every sum is an exact 64-bit integer.
[[nodiscard]] QuestionVariance question_variance(std::span<const std::int64_t> correct, std::int64_t seeds);

// The standard error over questions that `seeds` seeds would give: sqrt((B + W/seeds) / Q). Two seeds or more in `v`.
[[nodiscard]] double standard_error_with(const QuestionVariance& v, double seeds);

}  // namespace assay::statistics

// How far seeds agree, question by question. Full tables: every cell scored; a truncated or empty cell without the right
// letter is wrong like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace assay::statistics {

// Right or wrong, from the right answers a question (each 0..seeds, two seeds or more).
struct Agreement {
    double flip_rate = 0;                // 2W: two seeds differ on a question with this probability
    std::optional<double> kappa;         // Fleiss 1971: 1 - W / (p(1-p)); absent where all answers are alike
    std::optional<double> icc;           // one-way ICC(1): (MSB - MSW) / (MSB + (S-1) MSW); two questions or more
    std::optional<double> icc_of_means;  // ICC(1, S): (MSB - MSW) / MSB
    double between_mean_square = 0;
    double within_mean_square = 0;       // W
};
[[nodiscard]] Agreement agreement(std::span<const std::int64_t> correct, std::int64_t seeds);

// Cochran's Q (1950): do the seeds differ as whole runs? Large: a run-level effect. A p very near 1: seeds that are
// copies of each other. Chi-squared with S - 1 degrees of freedom; absent where every question is all right or all wrong.
struct CochranQ {
    double q = 0;
    double degrees = 0;
    double p = 1;
};
[[nodiscard]] std::optional<CochranQ> cochran_q(std::span<const std::int64_t> correct_by_question,
                                                std::span<const std::int64_t> correct_by_seed);

// Fleiss' kappa over any categories: counts[question * categories + c] answers of kind c, the same number a question.
// Absent where only one kind occurs.
[[nodiscard]] std::optional<double> fleiss_kappa(std::span<const std::int64_t> counts, std::int64_t categories);

// Reliability of a mean of k answers, from the ICC of one (Spearman 1910, Brown 1910).
[[nodiscard]] double spearman_brown(double icc, double k);

// Entropy in bits of a right/wrong question with c of n right.
[[nodiscard]] double entropy_bits(std::int64_t c, std::int64_t n);

// How much more two runs differ than each differs from itself: cross - (self_a + self_b) / 2 estimates the mean squared
// difference of the true rates without bias, so it may come out below 0. Two seeds or more on both sides.
struct ExcessFlips {
    double cross = 0;
    double self_a = 0;
    double self_b = 0;
    double excess = 0;
};
[[nodiscard]] ExcessFlips excess_flips(std::span<const std::int64_t> a, std::int64_t seeds_a, std::span<const std::int64_t> b,
                                       std::int64_t seeds_b);

}  // namespace assay::statistics

// pass@k, pass^k, G-Pass@k and majority@k for every k up to the number of seeds.
//
// With c of S answers to a question right, k of them drawn without replacement hold j right ones in C(c,j) C(S-c,k-j) of
// C(S,k) ways; every figure but the first k's is a sum of such ways over j, averaged over questions:
//   pass@k         j >= 1                (Chen et al. 2021)
//   pass^k         j = k                 (tau-bench, Yao et al. 2024)
//   G-Pass@k(tau)  j >= ceil(tau k)      (Liu et al. 2024, arXiv 2412.13147), and mG-Pass@k, their mean over tau in [1/2, 1]
//   majority@k     by answers instead of right and wrong: majority.hpp
// The ways of all questions are added as whole numbers and divided once: bit for bit the same whatever the order of questions
// (exact up to 56 seeds; beyond, rounded in a fixed order). At k = S nothing is drawn, and each is what was observed.
#pragma once

#include <optional>
#include <vector>

#include "scorers/statistics/majority.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

struct AtK {
    int k = 0;
    double pass_at_k = 0;
    double average_of_k = 0;                 // pass@1 [avg-of-k], the first k seeds
    std::optional<double> majority_at_k;     // of the first k seeds, ties as NeMo-Skills counts them; k >= 2
    double pass_hat_k = 0;
    double g_pass_half = 0;                  // tau = 1/2
    double g_pass_three_quarters = 0;        // tau = 3/4
    double mg_pass_at_k = 0;
    std::optional<ExpectedMajority> expected_majority;  // over all ways to draw k seeds; k >= 2, up to 56 seeds
};

// Full tables only (every cell scored); k = 1..columns. "The first k" are the first k columns. A truncated, empty, filtered or
// reasoning-only cell is right where its prediction is, else wrong; one without a prediction does not vote.
[[nodiscard]] std::vector<AtK> curve(const SeedTable& table);

}  // namespace assay::statistics

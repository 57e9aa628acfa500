// G-Pass@k and its kin (Liu et al. 2024, arXiv 2412.13147): of k answers drawn without replacement from n of which c are
// right, X are right (hypergeometric). 0 <= c <= n, 1 <= k <= n. A run's figure is the mean over questions.
#pragma once

#include <cstdint>

namespace assay::statistics {

// max(1, ceil(tau * k)) for tau = numerator / denominator in [0, 1]. In whole numbers: in doubles 0.7 * 10 is above 7.
[[nodiscard]] std::int64_t g_pass_threshold(std::int64_t numerator, std::int64_t denominator, std::int64_t k);

// P(X >= threshold): threshold 1 is pass@k, threshold k is pass^k.
[[nodiscard]] double g_pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k, std::int64_t threshold);

// mG-Pass@k: (2/k) * sum over j > m of (j - m) P(X = j), m = ceil(k/2): the mean over thresholds above one half.
[[nodiscard]] double mg_pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k);

// P(more than half of the k are right); weaker than a plurality of letters, see majority.hpp.
[[nodiscard]] double strict_majority_at_k(std::int64_t n, std::int64_t c, std::int64_t k);

}  // namespace assay::statistics

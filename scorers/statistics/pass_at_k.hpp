// pass@k and pass^k of one question, from c right answers among n. 1 <= k <= n, 0 <= c <= n.
//
// pass@k = 1 - C(n-c, k) / C(n, k): at least one of k drawn answers is right (Chen et al. 2021, arXiv 2107.03374).
// pass^k = C(c, k) / C(n, k): all k are right (Yao et al. 2024, tau-bench, arXiv 2406.12045).
// Both are unbiased for their question; a run's figure is the mean over questions. What counts as right is the
// table's business: a truncated or empty cell is an answer that is wrong unless it carries the right letter.
#pragma once

#include <cstdint>

namespace assay::statistics {

[[nodiscard]] double pass_at_k(std::int64_t n, std::int64_t c, std::int64_t k);
[[nodiscard]] double pass_hat_k(std::int64_t n, std::int64_t c, std::int64_t k);

}  // namespace assay::statistics

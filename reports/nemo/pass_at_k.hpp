// pass@k of one question, as Python computes 1 - comb(n - c, k) / comb(n, k).
#pragma once

namespace assay::reports {

// n runs, c of them right, k drawn: 0 <= c <= n, 1 <= k <= n. The division of the two integers is correctly rounded, as
// Python's is, for n up to 130; beyond it the ratio is a product of doubles.
[[nodiscard]] double nemo_pass_at_k(int n, int c, int k);

}  // namespace assay::reports

// Binomial coefficients and the hypergeometric distribution: what k of n samples say, drawn without replacement.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::statistics {

// C(n, k), 0 where k > n or k < 0. Exact for n <= 56, where every value is below 2^53; beyond that rounded.
[[nodiscard]] double choose(std::int64_t n, std::int64_t k);

// P(X = j) for j = 0..k, X the number of right ones among k drawn from n of which c are right.
// 0 <= c <= n, 0 <= k <= n.
[[nodiscard]] std::vector<double> hypergeometric(std::int64_t n, std::int64_t c, std::int64_t k);

}  // namespace assay::statistics

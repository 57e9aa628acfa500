// Excess flips (agreement.hpp), tested exactly: had one system answered each question 2k times, how often would splitting its
// answers into two runs of k give as much excess?
//
// With T right among the 2k answers and u = c_A c_B, cross and self flips are linear in u with a falling slope for the
// excess, so that the excess is large where the sum of u is small; given T, c_A is hypergeometric, and the sum of u over
// questions is convolved.
#pragma once

#include <cstdint>
#include <span>

namespace assay::statistics {

// P(excess at least as large), k seeds on either side, k >= 2.
[[nodiscard]] double excess_flips_p(std::span<const std::int64_t> a, std::span<const std::int64_t> b, std::int64_t k);

}  // namespace assay::statistics

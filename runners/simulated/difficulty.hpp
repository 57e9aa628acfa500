// How often each question of a set is answered right.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::runners {

// `questions` probabilities in ascending order whose mean is `accuracy` and which are spread like a beta
// distribution with intra-class correlation `icc`: a = accuracy * s, b = (1 - accuracy) * s, s = 1 / icc - 1
// (beta-binomial: the correlation of two answers to one question is 1 / (a + b + 1)). icc 0: all equal to
// accuracy; 1: each 0 or 1, but for one that makes the mean exact. Both arguments in [0, 1].
[[nodiscard]] std::vector<double> spread_of_difficulty(std::size_t questions, double accuracy, double icc);

}  // namespace assay::runners

// Adjusted p-values for a family of declared comparisons, in the order given: Bonferroni, Holm 1979 (family-wise
// error), Benjamini and Hochberg 1995 (false discovery rate). A gate that all must pass needs none of them.
#pragma once

#include <span>
#include <vector>

namespace assay::statistics {

[[nodiscard]] std::vector<double> bonferroni(std::span<const double> p);
[[nodiscard]] std::vector<double> holm(std::span<const double> p);
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace assay::statistics

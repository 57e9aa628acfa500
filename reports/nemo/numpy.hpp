// numpy's reductions over doubles, to the last digit (numpy/core/src/umath/loops, pairwise sum; _methods._mean, _var).
#pragma once

#include <span>

namespace assay::reports::numpy {

// Under 8 values one after the other; up to 128 in eight running sums; more: the two halves, the first a multiple of 8 long.
[[nodiscard]] double sum(std::span<const double> values) noexcept;

// Of at least one value.
[[nodiscard]] double mean(std::span<const double> values) noexcept;

// Standard deviation, ddof 1. Of at least two values.
[[nodiscard]] double standard_deviation(std::span<const double> values);

}  // namespace assay::reports::numpy

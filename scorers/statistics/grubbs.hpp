// Grubbs' test for one outlier that was picked because it is the most extreme (Grubbs 1969).
#pragma once

#include <span>

namespace assay::statistics {

struct Grubbs {
    double highest = 0;             // (max - mean) / sd
    double lowest = 0;              // (mean - min) / sd
    double critical_one_sided = 0;  // one end, chosen before looking
    double critical_two_sided = 0;  // either end
};
// Three values or more, not all equal.
[[nodiscard]] Grubbs grubbs(std::span<const double> values, double alpha);

}  // namespace assay::statistics

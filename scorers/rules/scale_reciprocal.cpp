#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/global_scale_walk.hpp"

namespace assay::rules {

// Multipliers are amax / 2688, reciprocals 2688 / amax: for weights far from 2688 they lie on either side of 1.
void check_scale_reciprocal(const RuleInput& input, std::vector<Finding>& findings) {
    for_each_global_scale(input, [&](const GlobalScaleAt& at) {
        if (!std::isfinite(at.value) || at.value <= 0) return;
        if (at.divides ? at.value >= 1.0F : at.value <= 1.0F) return;
        findings.push_back(about_scale(
            input, at, "scale.reciprocal", Severity::warning,
            fmt::format("the global scale {} is what {} would hold", at.value,
                        at.divides ? "weight_scale_2, the multiplier," : "weight_global_scale, the reciprocal,"),
            "under the wrong name the server scales the weight by its square"));
    });
}

}  // namespace assay::rules

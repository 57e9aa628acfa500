#include "scorers/rules/global_scale_walk.hpp"

namespace assay::rules {

void check_scale_one(const RuleInput& input, std::vector<Finding>& findings) {
    for_each_global_scale(input, [&](const GlobalScaleAt& at) {
        if (at.value != 1.0F) return;
        findings.push_back(about_scale(input, at, "scale.one", Severity::warning, "the global scale is exactly 1",
                                       "writers put 1 where they found no maximum, or NaN: an uncalibrated weight, "
                                       "served as it is"));
    });
}

}  // namespace assay::rules

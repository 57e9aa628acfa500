#include "scorers/rules/global_scale_walk.hpp"

#include <fmt/format.h>

#include <cmath>

namespace assay::rules {

using checkpoints::GlobalScale;

void for_each_global_scale(const RuleInput& input, const std::function<void(const GlobalScaleAt&)>& see) {
    const auto& modules = input.opened.recognition.modules;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const bool divides = checkpoints::layout_of(modules[i].layout).global_scale == GlobalScale::divisor;
        for (const float value : input.scalars.global[i])
            see({value, divides, input.opened.checkpoint.tensors[*modules[i].global]});
    }
}

Finding about_scale(const RuleInput& input, const GlobalScaleAt& at, const char* rule, Severity severity,
                    std::string message, std::string consequence) {
    return {rule,
            severity,
            input.opened.checkpoint.shards[at.tensor.shard].file,
            at.tensor.name,
            {},
            {},
            std::move(message),
            std::move(consequence)};
}

void check_global_scales(const RuleInput& input, std::vector<Finding>& findings) {
    for_each_global_scale(input, [&](const GlobalScaleAt& at) {
        if (std::isfinite(at.value) && at.value > 0) return;
        findings.push_back(about_scale(input, at, "scale.global", Severity::error,
                                       fmt::format("the global scale is {}; a finite number above 0 fits", at.value),
                                       "the weight is NaN, zero or of the wrong sign"));
    });
}

}  // namespace assay::rules

#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_global_scales(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    const auto& modules = input.opened.recognition.modules;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        for (const float value : input.scalars.global[i]) {
            const Tensor& tensor = input.opened.checkpoint.tensors[*modules[i].global];
            const auto say = [&](Severity severity, std::string message, std::string consequence) {
                findings.push_back({"scale.global",
                                    severity,
                                    input.opened.checkpoint.shards[tensor.shard].file,
                                    tensor.name,
                                    {},
                                    {},
                                    std::move(message),
                                    std::move(consequence)});
            };
            const bool divides = layout_of(modules[i].layout).global_scale == GlobalScale::divisor;
            if (!std::isfinite(value) || value <= 0) {
                say(Severity::error, fmt::format("the global scale is {}", value),
                    "the weight is NaN, zero or of the wrong sign");
            } else if (value == 1.0F) {
                say(Severity::warning, "the global scale is exactly 1",
                    "writers put 1 where they found no maximum: an uncalibrated weight");
            } else if (divides ? value < 1.0F : value > 1.0F) {
                // Multipliers are amax / 2688, reciprocals 2688 / amax: for weights far from 2688 they lie on either side of 1.
                say(Severity::warning,
                    fmt::format("the global scale {} is what {} would hold", value,
                                divides ? "weight_scale_2, the multiplier," : "weight_global_scale, the reciprocal,"),
                    "a reciprocal under the other name scales the weight by its square");
            }
        }
    }
}

}  // namespace assay::rules

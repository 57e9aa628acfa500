#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_input_scales(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    const auto& modules = input.opened.recognition.modules;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        for (const float value : input.scalars.input_scale[i]) {
            if (std::isfinite(value) && value > 0) continue;
            const checkpoints::Tensor& tensor = checkpoint.tensors[*modules[i].input_scale];
            findings.push_back({"scale.input",
                                Severity::error,
                                checkpoint.shards[tensor.shard].file,
                                tensor.name,
                                {},
                                {},
                                fmt::format("the input scale is {}; a finite number above 0 fits", value),
                                "activations become NaN or zero where the server quantizes them"});
        }
    }
}

}  // namespace assay::rules

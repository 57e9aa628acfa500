// Private to this folder: the global scales of a checkpoint, one by one, for the rules that judge them.
#pragma once

#include <functional>
#include <string>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

struct GlobalScaleAt {
    float value = 0;      // as stored
    bool divides = false;  // a reciprocal: weight_global_scale
    const checkpoints::Tensor& tensor;
};

void for_each_global_scale(const RuleInput& input, const std::function<void(const GlobalScaleAt&)>& see);

[[nodiscard]] Finding about_scale(const RuleInput& input, const GlobalScaleAt& at, const char* rule, Severity severity,
                                  std::string message, std::string consequence);

}  // namespace assay::rules

#include <fmt/format.h>

#include <algorithm>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

// Says that activations are quantized too: NVFP4 without W4A16, by name or by its groups.
bool claims_activations(const QuantizationConfig& config) {
    const auto quantizes = [](const ConfigGroup& group) { return group.quantizes_activations; };
    if (config.dialect == ConfigDialect::modelopt || config.dialect == ConfigDialect::hybrid)
        return config.quant_algo == "NVFP4";
    // compressed-tensors scales activations as they come, and stores a scale only for those it calibrated.
    return config.dialect == ConfigDialect::modelopt_mixed &&
           std::any_of(config.groups.begin(), config.groups.end(), quantizes);
}

// A config that says null of activations says itself that weights alone are quantized.
bool says_weights_alone(const std::vector<QuantizationConfig>& configs) {
    return std::any_of(configs.begin(), configs.end(), [](const QuantizationConfig& config) {
        return !config.groups.empty() &&
               std::all_of(config.groups.begin(), config.groups.end(),
                           [](const ConfigGroup& group) { return group.leaves_activations; });
    });
}

}  // namespace

void check_weight_only(const RuleInput& input, std::vector<Finding>& findings) {
    std::uint64_t nvfp4 = 0;
    for (const Module& module : input.opened.recognition.modules) {
        if (layout_of(module.layout).block_scale != BlockScale::e4m3) continue;
        if (module.input_scale) return;
        ++nvfp4;
    }
    if (nvfp4 == 0) return;
    const Severity severity =
        says_weights_alone(input.opened.checkpoint.configs) ? Severity::note : Severity::warning;
    for (const QuantizationConfig& config : input.opened.checkpoint.configs) {
        if (!claims_activations(config)) continue;
        findings.push_back({"config.weight_only",
                            severity,
                            config.where,
                            {},
                            {},
                            {},
                            fmt::format("quant_algo is {}, and none of {} NVFP4 weights has an input scale; weights "
                                        "alone are W4A16_NVFP4",
                                        config.quant_algo, nvfp4),
                            "Marlin serves it as it is; other backends of SGLang, and vLLM before it looked at "
                            "input_activations, multiply by input scales they never wrote; SGLang knows W4A16_NVFP4 in newer "
                            "trees alone"});
    }
}

}  // namespace assay::rules

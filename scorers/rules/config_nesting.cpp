#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

namespace {

bool of_modelopt(const checkpoints::QuantizationConfig& config) {
    using enum checkpoints::ConfigDialect;
    return config.dialect == modelopt || config.dialect == modelopt_mixed || config.dialect == hybrid;
}

}  // namespace

void check_config_nesting(const RuleInput& input, std::vector<Finding>& findings) {
    const auto& configs = input.opened.checkpoint.configs;
    const checkpoints::QuantizationConfig* flat = nullptr;
    const checkpoints::QuantizationConfig* nested = nullptr;
    for (const auto& config : configs) (config.nested ? nested : flat) = &config;
    if (flat != nullptr && nested != nullptr) {
        findings.push_back(
            {"config.nesting",
             Severity::error,
             nested->where,
             {},
             {},
             {},
             fmt::format("{} stands here beside {} in {}", to_string(nested->dialect), to_string(flat->dialect),
                         flat->where),
             "readers that merge text_config first take this one, and read the weights in the wrong format"});
    }
    for (const auto& config : configs) {
        const bool hf = config.where == "hf_quant_config.json";
        if (!of_modelopt(config) || hf || !config.has_exclude_modules || config.has_ignore) continue;
        findings.push_back({"config.nesting",
                            Severity::error,
                            config.where,
                            {},
                            {},
                            {},
                            "exclude_modules stands in the flat form, where readers look for ignore",
                            "vLLM reads the flat form's ignore only: the excluded modules are built as quantized"});
    }
}

}  // namespace assay::rules

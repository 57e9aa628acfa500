#include <fmt/format.h>

#include <set>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

// The layouts that a format string or an algorithm stands for; empty where it is not one of these.
std::set<LayoutId> layouts_of(const QuantizationConfig& config) {
    using enum LayoutId;
    if (config.dialect == ConfigDialect::quark) return {quark_mxfp4};  // whatever else it says: its readers go by the method
    if (config.format == "mxfp4-pack-quantized") return {compressed_tensors_mxfp4};
    if (config.dialect == ConfigDialect::compressed_tensors && config.format == "nvfp4-pack-quantized")
        return {compressed_tensors_nvfp4};
    if (config.quant_algo == "NVFP4" || config.quant_algo == "W4A16_NVFP4")
        return {modelopt_nvfp4, modelopt_nvfp4_bank};
    if (config.dialect == ConfigDialect::modelopt_mixed)
        return {modelopt_nvfp4, modelopt_nvfp4_bank, modelopt_fp8_block};
    if (config.dialect == ConfigDialect::mxfp4) return {gpt_oss, gpt_oss_original};
    return {};
}

std::string named_by(const QuantizationConfig& config) {
    if (config.dialect != ConfigDialect::quark && !config.format.empty()) return config.format;
    if (config.dialect != ConfigDialect::quark && !config.quant_algo.empty()) return config.quant_algo;
    return "quant_method " + config.quant_method;
}

}  // namespace

void check_config_format(const RuleInput& input, std::vector<Finding>& findings) {
    for (const QuantizationConfig& config : input.opened.checkpoint.configs) {
        // Servers choose by quant_method; where the tensors bear other names than its own, that is an error below.
        if (config.dialect == ConfigDialect::hybrid) {
            findings.push_back({"config.format",
                                Severity::note,
                                config.where,
                                {},
                                {},
                                {},
                                fmt::format("quant_method is {} and format is {}, which is compressed-tensors' word",
                                            config.quant_method, config.format),
                                "readers of ModelOpt ignore the format; those that go by the format look for "
                                "weight_packed and weight_global_scale"});
        }
        if (config.dialect == ConfigDialect::unknown && !input.opened.recognition.modules.empty()) {
            findings.push_back({"config.format",
                                Severity::warning,
                                config.where,
                                {},
                                {},
                                {},
                                config.quant_method.empty()
                                    ? std::string("it names no quant_method")
                                    : fmt::format("quant_method is {}, which is none of those read here",
                                                  config.quant_method),
                                "a server that does not know it refuses the checkpoint or builds plain weights"});
        }
        const std::set<LayoutId> named = layouts_of(config);
        if (named.empty()) continue;
        std::set<LayoutId> other;
        for (const Module& module : input.opened.recognition.modules) {
            if (named.count(module.layout) == 0) other.insert(module.layout);
        }
        for (const LayoutId id : other) {
            findings.push_back(
                {"config.format",
                 Severity::error,
                 config.where,
                 {},
                 {},
                 {},
                 fmt::format("it names {}, but weights are in the layout {}", named_by(config), layout_of(id).name),
                 "the server looks for tensors of other names, or reads the scales as another format"});
        }
    }
}

}  // namespace assay::rules

#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_config_presence(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Opened& opened = input.opened;
    for (const std::string& trouble : opened.checkpoint.config_troubles)
        findings.push_back({"config.presence",
                            Severity::error,
                            "config.json",
                            {},
                            {},
                            {},
                            trouble,
                            "no server can load the checkpoint"});
    for (const auto& config : opened.checkpoint.configs) {
        for (const std::string& fault : config.faults)
            findings.push_back({"config.presence",
                                Severity::warning,
                                config.where,
                                {},
                                {},
                                {},
                                fault,
                                "a reader fails on the field or ignores it"});
    }
    const bool quantized = !opened.recognition.modules.empty();
    if (quantized && opened.checkpoint.configs.empty() && opened.checkpoint.config_troubles.empty()) {
        findings.push_back({"config.presence",
                            Severity::error,
                            "config.json",
                            {},
                            {},
                            {},
                            fmt::format("{} weights are quantized and no quantization config says so",
                                        opened.recognition.modules.size()),
                            "a server builds plain weights and fails on the packed shapes"});
    }
    if (quantized || opened.checkpoint.configs.empty() || !opened.recognition.broken.empty()) return;
    findings.push_back({"config.presence",
                        Severity::warning,
                        opened.checkpoint.configs[0].where,
                        {},
                        {},
                        {},
                        "it says that weights are quantized, and none is in a layout known here",
                        "a server looks for scales that are not there"});
}

}  // namespace assay::rules

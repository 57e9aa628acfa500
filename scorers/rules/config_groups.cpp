#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

// The width of the groups that a config names against the width of the blocks that the tensors have.
void check_config_groups(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    std::set<std::uint64_t> widths;
    for (const Module& module : input.opened.recognition.modules) {
        if (layout_of(module.layout).fp4()) widths.insert(layout_of(module.layout).block_columns);
    }
    if (widths.empty()) return;
    for (const QuantizationConfig& config : input.opened.checkpoint.configs) {
        const auto say = [&](const std::string& what, std::uint64_t size) {
            if (widths.contains(size)) return;
            findings.push_back({"config.group_size",
                                Severity::error,
                                config.where,
                                {},
                                {},
                                {},
                                fmt::format("{} is {}, and the tensors have a scale for each {} columns", what, size,
                                            *widths.begin()),
                                "the server allocates scales of another shape, and loading fails"});
        };
        if (config.group_size) say("group_size", *config.group_size);
        for (const ConfigGroup& group : config.groups) {
            if (group.group_size && group.num_bits == 4U) say("group_size of " + group.name, *group.group_size);
        }
    }
}

}  // namespace assay::rules

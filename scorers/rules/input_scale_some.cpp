#include <fmt/format.h>

#include <map>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_input_scale_some(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    struct Counts {
        std::uint64_t with = 0, without = 0;
        std::string first_without;
    };
    std::map<LayoutId, Counts> layouts;
    for (const Module& module : input.opened.recognition.modules) {
        if (!layout_of(module.layout).input_scale.used()) continue;
        Counts& counts = layouts[module.layout];
        if (module.input_scale)
            ++counts.with;
        else if (counts.without++ == 0)
            counts.first_without = module.name;
    }
    for (const auto& [id, counts] : layouts) {
        if (counts.with == 0 || counts.without == 0) continue;
        findings.push_back({"scale.input_some",
                            Severity::error,
                            {},
                            counts.first_without,
                            {},
                            {},
                            fmt::format("{} weights in {} have an input scale and {} have none, this one first",
                                        counts.with, layout_of(id).name, counts.without),
                            "vLLM and SGLang multiply by memory they never wrote, except with Marlin, which reads none"});
    }
}

}  // namespace assay::rules

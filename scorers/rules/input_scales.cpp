#include <fmt/format.h>

#include <cmath>
#include <map>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_input_scales(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    const auto& modules = input.opened.recognition.modules;
    struct Counts {
        std::uint64_t with = 0, without = 0, ones = 0;
        std::string first_without;
    };
    std::map<LayoutId, Counts> layouts;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (!layout_of(modules[i].layout).input_scale.used()) continue;
        Counts& counts = layouts[modules[i].layout];
        if (!modules[i].input_scale) {
            if (counts.without++ == 0) counts.first_without = modules[i].name;
            continue;
        }
        ++counts.with;
        for (const float value : input.scalars.input_scale[i]) {
            counts.ones += value == 1.0F ? 1 : 0;
            if (std::isfinite(value) && value > 0) continue;
            findings.push_back({"scale.input",
                                Severity::error,
                                {},
                                input.opened.checkpoint.tensors[*modules[i].input_scale].name,
                                {},
                                {},
                                fmt::format("the input scale is {}", value),
                                "activations become NaN or zero where the server quantizes them"});
        }
    }
    for (const auto& [id, counts] : layouts) {
        if (counts.with != 0 && counts.without != 0) {
            findings.push_back({"scale.input",
                                Severity::error,
                                {},
                                counts.first_without,
                                {},
                                {},
                                fmt::format("{} weights in {} have an input scale and {} have none, this one first",
                                            counts.with, layout_of(id).name, counts.without),
                                "a server that expects it multiplies by memory it never wrote"});
        }
        if (counts.ones != 0) {
            findings.push_back(
                {"scale.input",
                 Severity::note,
                 {},
                 {},
                 {},
                 {},
                 fmt::format("{} of {} input scales in {} are exactly 1: placeholders, not calibrated", counts.ones,
                             counts.with, layout_of(id).name),
                 "fine where activations stay in 16 bits; with FP4 activations they are scaled blindly"});
        }
    }
}

}  // namespace assay::rules

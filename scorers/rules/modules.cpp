#include <fmt/format.h>

#include <map>
#include <utility>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_modules(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    for (const BrokenModule& module : input.opened.recognition.broken) {
        for (const PartFault& fault : module.faults) {
            findings.push_back({"weight.parts",
                                Severity::error,
                                {},
                                fault.tensor,
                                {},
                                {},
                                fmt::format("{} ({})", fault.message, layout_of(module.layout).name),
                                "the server fails to load the weight, or fills the missing part at random"});
        }
    }
    // Every weight of a checkpoint may be of one, so each layout is said once.
    std::map<LayoutId, std::pair<std::uint64_t, const Module*>> declined;
    for (const Module& module : input.opened.recognition.modules) {
        if (!layout_of(module.layout).declined) continue;
        auto& [count, first] = declined[module.layout];
        if (count++ == 0) first = &module;
    }
    for (const auto& [id, found] : declined) {
        const auto& [count, first] = found;
        findings.push_back({"weight.parts",
                            Severity::note,
                            {},
                            first->name,
                            {},
                            {},
                            fmt::format("{} weight{} in {}, this one first, {} named here and not decoded", count,
                                        count == 1 ? "" : "s", layout_of(id).name, count == 1 ? "is" : "are"),
                            "their values were not checked"});
    }
}

}  // namespace assay::rules

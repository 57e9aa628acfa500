#include <fmt/format.h>

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
    for (const Module& module : input.opened.recognition.modules) {
        const Layout& layout = layout_of(module.layout);
        if (layout.declined)
            findings.push_back({"weight.parts",
                                Severity::note,
                                {},
                                module.name,
                                {},
                                {},
                                fmt::format("{} is named here and not decoded", layout.name),
                                "its values were not checked"});
    }
}

}  // namespace assay::rules

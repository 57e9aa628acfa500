#include <fmt/format.h>

#include <map>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_input_scale_one(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    const auto& modules = input.opened.recognition.modules;
    struct Counts {
        std::uint64_t ones = 0, all = 0;
        std::uint32_t first = 0;
    };
    std::map<LayoutId, Counts> layouts;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        for (const float value : input.scalars.input_scale[i]) {
            Counts& counts = layouts[modules[i].layout];
            ++counts.all;
            if (value == 1.0F && counts.ones++ == 0) counts.first = *modules[i].input_scale;
        }
    }
    for (const auto& [id, counts] : layouts) {
        if (counts.ones == 0) continue;
        const Tensor& tensor = input.opened.checkpoint.tensors[counts.first];
        findings.push_back({"scale.input_one",
                            // On all weights it is a convention of published casts; among others it is an accident.
                            counts.ones == counts.all ? Severity::note : Severity::warning,
                            input.opened.checkpoint.shards[tensor.shard].file,
                            tensor.name,
                            {},
                            {},
                            fmt::format("{} of {} input scales in {} are exactly 1, this one first: placeholders, not "
                                        "calibrated",
                                        counts.ones, counts.all, layout_of(id).name),
                            "nothing where activations stay in 16 bits (Marlin); backends with FP4 activations take it "
                            "for a calibration and clip or flush them"});
    }
}

}  // namespace assay::rules

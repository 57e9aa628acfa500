#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

// One finding for each weight that has the oddity, at its first place.
void say_each(const RuleInput& input, std::vector<Finding>& findings, const char* rule, ScaleOddity oddity,
              Severity severity, const char* what, const char* consequence) {
    const auto& modules = input.opened.recognition.modules;
    const auto at = static_cast<std::size_t>(oddity);
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const ScaleSurvey& survey = input.scalars.surveys[i];
        if (survey.counts[at] == 0) continue;
        const Tensor& tensor = input.opened.checkpoint.tensors[modules[i].scale];
        findings.push_back(
            {rule, severity, input.opened.checkpoint.shards[tensor.shard].file, tensor.name, survey.first_row[at],
             survey.first_block[at],
             fmt::format("{} of {} block scales {}, this one first", survey.counts[at], survey.scales, what),
             consequence});
    }
}

}  // namespace

void check_nan_scales(const RuleInput& input, std::vector<Finding>& findings) {
    say_each(input, findings, "block_scale.nan", ScaleOddity::nan, Severity::error, "are NaN",
             "the block is NaN; some kernels read E8M0 255 as zero or infinity");
}

void check_negative_scales(const RuleInput& input, std::vector<Finding>& findings) {
    say_each(input, findings, "block_scale.negative", ScaleOddity::negative, Severity::error, "have their sign set",
             "Marlin's FP4 path drops the sign, others keep it");
}

void check_zero_scales(const RuleInput& input, std::vector<Finding>& findings) {
    say_each(input, findings, "block_scale.zero", ScaleOddity::live_zero, Severity::error,
             "are code 0 over elements that are not zero",
             "E4M3: the block is flushed to zero; E8M0: 2^-127, which some kernels read as zero");
}

void check_subnormal_scales(const RuleInput& input, std::vector<Finding>& findings) {
    say_each(input, findings, "block_scale.subnormal", ScaleOddity::subnormal, Severity::note, "are subnormal in E4M3",
             "exact where subnormals are kept; kernels that flush them lose the block");
}

}  // namespace assay::rules

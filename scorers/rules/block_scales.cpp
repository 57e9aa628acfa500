#include <fmt/format.h>

#include <cmath>

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

void check_closed_form(const RuleInput& input, std::vector<Finding>& findings) {
    const auto& modules = input.opened.recognition.modules;
    std::uint64_t weights = 0;
    std::uint64_t signed_off = 0;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const Layout& layout = layout_of(modules[i].layout);
        const ScaleSurvey& survey = input.scalars.surveys[i];
        if (layout.block_scale != BlockScale::e4m3 || !survey.whole) continue;
        ++weights;
        bool powers = true;
        for (const float value : input.scalars.global[i]) {
            int exponent = 0;
            powers = powers && std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5F;
        }
        const bool clean = survey.count(ScaleOddity::no_power) + survey.count(ScaleOddity::unpaired) +
                               survey.count(ScaleOddity::nan) + survey.count(ScaleOddity::negative) ==
                           0;
        signed_off += powers && clean ? 1 : 0;
    }
    if (signed_off == 0) return;
    findings.push_back(
        {"block_scale.closed_form",
         Severity::note,
         {},
         {},
         {},
         {},
         fmt::format("{} of {} NVFP4 weights have scales that are powers of two in equal pairs", signed_off, weights),
         "they are casts of MXFP4 and can be undone"});
}

}  // namespace assay::rules

#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

struct Kinds {
    std::uint64_t weights = 0;         // NVFP4, surveyed whole
    std::uint64_t cast = 0;            // with the signature of a closed-form cast
    std::vector<std::size_t> others;  // modules without it
};

bool is_cast(const ScaleSurvey& survey, const std::vector<float>& global) {
    for (const float value : global) {
        int exponent = 0;
        if (!std::isfinite(value) || value <= 0 || std::frexp(value, &exponent) != 0.5F) return false;
    }
    return survey.count(ScaleOddity::no_power) + survey.count(ScaleOddity::unpaired) + survey.count(ScaleOddity::nan) +
               survey.count(ScaleOddity::negative) ==
           0;
}

Kinds kinds_of(const RuleInput& input) {
    const auto& modules = input.opened.recognition.modules;
    Kinds kinds;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const ScaleSurvey& survey = input.scalars.surveys[i];
        if (layout_of(modules[i].layout).block_scale != BlockScale::e4m3 || !survey.whole) continue;
        ++kinds.weights;
        if (is_cast(survey, input.scalars.global[i]))
            ++kinds.cast;
        else
            kinds.others.push_back(i);
    }
    return kinds;
}

}  // namespace

void check_closed_form(const RuleInput& input, std::vector<Finding>& findings) {
    const Kinds kinds = kinds_of(input);
    if (kinds.cast == 0) return;
    findings.push_back(
        {"block_scale.closed_form",
         Severity::note,
         {},
         {},
         {},
         {},
         fmt::format("{} of {} NVFP4 weights have scales that are powers of two in equal pairs", kinds.cast,
                     kinds.weights),
         "they are casts of MXFP4 and can be undone"});
}

void check_unpaired_scales(const RuleInput& input, std::vector<Finding>& findings) {
    const Kinds kinds = kinds_of(input);
    const auto& modules = input.opened.recognition.modules;
    // Weights that were quantized from real numbers have no pairs, and none is expected of them.
    if (2 * kinds.cast <= kinds.weights) return;
    for (const std::size_t i : kinds.others) {
        const ScaleSurvey& survey = input.scalars.surveys[i];
        if (survey.count(ScaleOddity::unpaired) == 0) continue;
        const auto at = static_cast<std::size_t>(ScaleOddity::unpaired);
        const Tensor& tensor = input.opened.checkpoint.tensors[modules[i].scale];
        findings.push_back({"block_scale.unpaired",
                            Severity::warning,
                            input.opened.checkpoint.shards[tensor.shard].file,
                            tensor.name,
                            survey.first_row[at],
                            survey.first_block[at],
                            fmt::format("{} of {} pairs of block scales are unlike, this one first, and {} of {} NVFP4 "
                                        "weights have equal pairs",
                                        survey.counts[at], survey.scales / 2, kinds.cast, kinds.weights),
                            "the server uses it as it is; a cast of MXFP4 writes each scale twice, so this one was "
                            "changed afterwards or comes from elsewhere"});
    }
}

}  // namespace assay::rules

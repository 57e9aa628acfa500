#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/global_scale_walk.hpp"

namespace assay::rules {

void check_scale_power(const RuleInput& input, std::vector<Finding>& findings) {
    std::uint64_t all = 0;
    std::uint64_t other = 0;
    const checkpoints::Tensor* first = nullptr;
    float value = 0;
    for_each_global_scale(input, [&](const GlobalScaleAt& at) {
        ++all;
        int exponent = 0;
        if (!std::isfinite(at.value) || at.value <= 0 || std::frexp(at.value, &exponent) == 0.5F) return;
        if (other++ > 0) return;
        first = &at.tensor;
        value = at.value;
    });
    if (other == 0) return;
    findings.push_back({"scale.power_of_two",
                        Severity::note,
                        input.opened.checkpoint.shards[first->shard].file,
                        first->name,
                        {},
                        {},
                        fmt::format("{} of {} global scales are no power of two, {} first", other, all, value),
                        "such weights were quantized from real numbers: they are no cast of MXFP4, and differ from an "
                        "MXFP4 source"});
}

}  // namespace assay::rules

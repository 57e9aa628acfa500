// Target layout: what a weight of each MXFP4 layout is called and shaped after the cast. One row a pair of layouts.
//
//   source                    modelopt, card                                compressed-tensors
//   compressed-tensors MXFP4  X.weight, X.weight_scale, X.weight_scale_2    X.weight_packed, X.weight_scale,
//   DeepSeek-V4 MXFP4           [rows, columns/2], [rows, columns/16], []     X.weight_global_scale, [1]
//   gpt-oss, both forms       X, X_weight_scale, X_weight_scale_2           none: it has no name for a fused bank
//                               [experts, rows, columns/2], .., []
//
// Payloads are U8, block scales F8_E4M3, global and input scales F32. Rows stay rows: nothing is transposed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/cast/options.hpp"
#include "datasets/checkpoints/module.hpp"

namespace assay::cast {

struct TargetLayout {
    checkpoints::LayoutId source{};
    checkpoints::LayoutId target{};
    unsigned scalar_rank = 0;  // of global and input scales: 0 or 1
};

// Nothing where the dialect has no form for the layout, or the layout is no MXFP4.
[[nodiscard]] std::optional<TargetLayout> target_layout(checkpoints::LayoutId source, Dialect dialect) noexcept;

// What a weight becomes, without places in a file.
struct TargetTensors {
    checkpoints::Tensor payload;
    checkpoints::Tensor scale;
    checkpoints::Tensor global;
    checkpoints::Tensor input_scale;
};

[[nodiscard]] TargetTensors target_tensors(const checkpoints::Module& module, const TargetLayout& layout);

// What a global scale is shared by: equal for modules that share one.
[[nodiscard]] std::string sharing_key(const std::string& module, Sharing sharing);

}  // namespace assay::cast

// Layout: how a family of checkpoints stores a quantized weight in tensors. One row a layout, in `layouts()`.
//
// A packed byte holds two E2M1 codes of neighbouring columns; in every layout here the even column is in the low nibble:
//
//   byte   7 6 5 4   3 2 1 0
//          col 2i+1  col 2i
//
// A value is element * block scale (* or / global scale). Sources: compressed-tensors 0.12 (mxfp4, nvfp4 compressors),
// openai/gpt-oss gpt_oss/torch/weights.py and its Hugging Face form, DeepSeek-V4's release, NVIDIA Model Optimizer
// 0.4x export (qtensor/nvfp4_tensor.py, unified_export_megatron.py).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "datasets/checkpoints/dtype.hpp"

namespace assay::checkpoints {

enum class LayoutId : std::uint8_t {
    compressed_tensors_mxfp4,  // moonshotai/Kimi-K3
    gpt_oss,                   // Hugging Face form: X_blocks, X_scales
    gpt_oss_original,          // X.blocks, X.scales
    deepseek_v4,               // I8 container, F8_E8M0 scales
    deepseek_v4_fp8,           // its dense weights: E4M3 in 128 x 128 blocks with E8M0 scales
    modelopt_nvfp4,
    modelopt_nvfp4_bank,       // fused experts: X, X_weight_scale, X_weight_scale_2
    compressed_tensors_nvfp4,  // global scale stored as its reciprocal
    modelopt_fp8_block,  // FP8_PB_WO of NVIDIA's mixed checkpoints: E4M3 in 128 x 128 blocks, F32 scales of rank 4
    quark_mxfp4,         // AMD Quark: named, and declined
};

enum class Element : std::uint8_t { e2m1, e4m3 };
enum class BlockScale : std::uint8_t { e8m0, e4m3, f32 };
enum class GlobalScale : std::uint8_t { none, multiplier, divisor };

// A tensor of a module: its suffix after the module's name and the dtypes it may have.
struct Part {
    std::string_view suffix;  // ".weight_packed"; "" where the layout has no such part
    std::array<Dtype, 2> dtypes{};
    [[nodiscard]] bool used() const noexcept { return !suffix.empty(); }
};

struct Layout {
    LayoutId id{};
    std::string_view name;    // "compressed-tensors MXFP4"
    std::string_view format;  // "MXFP4", "NVFP4", "FP8 128x128"
    Element element{};
    BlockScale block_scale{};
    GlobalScale global_scale{};
    unsigned block_rows = 1;  // rows and columns that share a block scale
    unsigned block_columns = 32;
    bool banks = false;     // payload of rank 3 or 4: experts, then rows
    bool grouped = false;   // payload shape [.., groups, bytes of a group] instead of [.., bytes]
    bool declined = false;  // recognised so that it can be named, and not decoded
    Part payload;
    Part scale;
    Part global;
    Part input_scale;  // static activation scale; always optional

    [[nodiscard]] bool fp4() const noexcept { return element == Element::e2m1; }
};

// Every layout, indexed by LayoutId.
[[nodiscard]] std::span<const Layout> layouts() noexcept;
[[nodiscard]] const Layout& layout_of(LayoutId id) noexcept;

}  // namespace assay::checkpoints

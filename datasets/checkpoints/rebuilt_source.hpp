// RebuiltSource: the MXFP4 checkpoint that a closed-form NVFP4 cast was made from, planned from the cast's headers.
//
// A shard of the cast becomes a shard of the same name. Packed elements are the same bytes under the source's name; block
// scales are undone (closed_form_inverse.hpp); global and input scales fall away; every other tensor stays. The file is
// laid out as the reference writer does it (header_text.hpp), so that its sha256 is that of a source that was written so.
//
//   cast of                   payload, scale     shapes                           dtypes of the source
//   compressed-tensors MXFP4  X.weight_packed    [rows, columns/2]                U8
//                             X.weight_scale     [rows, columns/32]               U8
//   DeepSeek-V4               X.weight, X.scale  the same                         I8, F8_E8M0
//   gpt-oss                   X_blocks           [banks, rows, columns/32, 16]    U8
//                             X_scales           [banks, rows, columns/32]        U8
//   gpt-oss original          X.blocks, X.scales the same
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"

namespace assay::checkpoints {

enum class Remaking : std::uint8_t {
    copy,         // the bytes of a tensor of the cast; `origin` is its index
    block_scale,  // E8M0 codes of a module of the cast; `origin` is its index
};

struct RebuiltTensor {
    Tensor tensor;  // of the source, with its place in the rebuilt file
    Remaking making{};
    std::uint32_t origin = 0;
};

struct RebuiltShard {
    std::uint32_t shard = 0;             // of the cast
    std::string file;                    // its name
    std::string header;                  // the first bytes of the rebuilt file, without __metadata__
    std::string header_with_metadata;    // with that of the cast's shard; empty where it has none
    std::vector<RebuiltTensor> tensors;  // in the order of the file
    std::uint64_t data_bytes = 0;
};

// Layouts that a cast can have come from, as --source-layout spells them: "compressed-tensors", "deepseek-v4", "gpt-oss",
// "gpt-oss-original". Nothing for any other word.
[[nodiscard]] std::optional<LayoutId> source_layout_from_string(std::string_view word) noexcept;

// One plan for each shard of `cast` that its index names. Banks are taken to come from gpt-oss (either form, as `layout`
// says), all others from `layout`; without it from DeepSeek-V4 where FP8 weights of its kind stand beside them, else from
// compressed-tensors. Throws assay::Error where no weight is NVFP4, where the layout has no form for a bank or
// a weight without one, and where a name that the source had is taken.
[[nodiscard]] std::vector<RebuiltShard> plan_rebuilt_source(const Opened& cast, std::optional<LayoutId> layout);

// What planning makes of one weight: payload and scale of the source, without places in a file.
struct SourceParts {
    Tensor payload;
    Tensor scale;
};
[[nodiscard]] SourceParts source_parts(const Module& module, LayoutId layout);

}  // namespace assay::checkpoints

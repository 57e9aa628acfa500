// Dtype: the element types a safetensors header may name.
//
// The order is that of the reference writer, which sorts tensors by it, descending, before their names.
// Source: safetensors 0.8, README "Format" and safetensors/src/tensor.rs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::checkpoints {

enum class Dtype : std::uint8_t {
    BOOL,
    F4,
    F6_E2M3,
    F6_E3M2,
    U8,
    I8,
    F8_E5M2,
    F8_E4M3,
    F8_E8M0,
    F8_E4M3FNUZ,
    F8_E5M2FNUZ,
    I16,
    U16,
    F16,
    BF16,
    I32,
    U32,
    F32,
    C64,
    F64,
    I64,
    U64,
};

inline constexpr int dtype_count = 22;

// The spelling in a header: "F8_E4M3".
[[nodiscard]] std::string_view to_string(Dtype dtype) noexcept;
[[nodiscard]] std::optional<Dtype> dtype_from_string(std::string_view name) noexcept;

// Size of one element in bits: 4, 6, 8, 16, 32 or 64. The shape of an F4 tensor counts elements, not bytes.
[[nodiscard]] unsigned bits_of(Dtype dtype) noexcept;

}  // namespace assay::checkpoints

// Served: what a server that dequantizes in FP32, and then rounds to BF16, would multiply with.
//
// scale = FP32(block scale * global scale), or FP32(block scale / global scale) in the reciprocal dialect;
// value = FP32(element * scale); BF16 is that rounded to nearest, ties to even. So vLLM's and compressed-tensors'
// reference dequantization do it. Numbers that are equal exactly under equal scales are equal here too; beyond FP32's
// range numbers that differ exactly may be served alike (both infinite, both zero), and equal ones may not.
#pragma once

#include <cstdint>

#include "scorers/bit_exact/window.hpp"

namespace assay::bit_exact {

// NaN where the block scale or the global scale is NaN.
[[nodiscard]] float served_scale(const Encoding& encoding, std::uint8_t code) noexcept;
// `code` is an E2M1 code.
[[nodiscard]] float served_fp32(unsigned code, float scale) noexcept;
[[nodiscard]] float rounded_to_bf16(float value) noexcept;

}  // namespace assay::bit_exact

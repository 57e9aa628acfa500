#include "scorers/bit_exact/served.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "datasets/checkpoints/number_formats.hpp"

namespace assay::bit_exact {

using checkpoints::BlockScale;
using checkpoints::GlobalScale;

float served_scale(const Encoding& encoding, std::uint8_t code) noexcept {
    // Each E8M0 and E4M3 number is an FP32 number.
    const auto block = static_cast<float>(encoding.block_scale == BlockScale::e8m0 ? checkpoints::e8m0_value(code)
                                                                                   : checkpoints::e4m3_value(code));
    switch (encoding.global_scale) {
        case GlobalScale::none: return block;
        case GlobalScale::multiplier: return block * encoding.global;
        case GlobalScale::divisor: return block / encoding.global;
    }
    return block;
}

float served_fp32(unsigned code, float scale) noexcept {
    static constexpr std::array<float, 16> elements{0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
                                                    -0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};
    return elements[code] * scale;
}

float rounded_to_bf16(float value) noexcept {
    if (std::isnan(value)) return value;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += 0x7fffU + (bits >> 16 & 1U);
    return std::bit_cast<float>(bits & 0xffff0000U);
}

}  // namespace assay::bit_exact

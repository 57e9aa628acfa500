// Number formats of quantized checkpoints, as exact values.
//
//   E2M1   s ee m        0 0.5 1 1.5 2 3 4 6 and their negatives, -0 included; no infinity, no NaN
//   E8M0   eeeeeeee      2^(e-127); 0 is 2^-127; 255 is NaN; no sign, no zero
//   E4M3   s eeee mmm    bias 7, "fn": no infinity, 0x7f and 0xff are NaN, largest 448, smallest 2^-9
//   F16    s 5 10, BF16 s 8 7, F32 s 8 23: IEEE 754
//
// Every finite value of each is a double without rounding.
// Sources: OCP Microscaling Formats (MX) v1.0, 5.3 and 5.4; OCP 8-bit Floating Point (OFP8) v1.0, 5.
#pragma once

#include <cstdint>

namespace assay::checkpoints {

// `nibble` in 0..15: bit 3 is the sign.
[[nodiscard]] double e2m1_value(unsigned nibble) noexcept;
// Twice the magnitude, an integer: 0 1 2 3 4 6 8 12. `nibble` in 0..15.
[[nodiscard]] unsigned e2m1_half_units(unsigned nibble) noexcept;
[[nodiscard]] double e8m0_value(std::uint8_t code) noexcept;
[[nodiscard]] double e4m3_value(std::uint8_t code) noexcept;
[[nodiscard]] double f16_value(std::uint16_t code) noexcept;
[[nodiscard]] double bf16_value(std::uint16_t code) noexcept;
[[nodiscard]] double f32_value(std::uint32_t code) noexcept;

// A finite number as significand * 2^exponent, the significand odd, or 0 with exponent 0. The sign of a zero is lost.
struct Exact {
    std::int64_t significand = 0;
    int exponent = 0;
    friend bool operator==(const Exact&, const Exact&) = default;
};

// `value` must be finite.
[[nodiscard]] Exact exact(double value) noexcept;
// The product; the significands' product must fit 63 bits.
[[nodiscard]] Exact operator*(Exact a, Exact b) noexcept;

}  // namespace assay::checkpoints

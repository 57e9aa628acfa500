#include "datasets/checkpoints/number_formats.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace assay::checkpoints {
namespace {

constexpr std::array<std::uint8_t, 8> half_units{0, 1, 2, 3, 4, 6, 8, 12};

// 2^exponent for exponents of normal doubles.
constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

constexpr double e4m3(unsigned code) {
    const unsigned exponent = code >> 3 & 15U;
    const unsigned mantissa = code & 7U;
    if (exponent == 15 && mantissa == 7) return std::numeric_limits<double>::quiet_NaN();
    const double magnitude =
        exponent == 0 ? mantissa * power_of_two(-9) : (8.0 + mantissa) * power_of_two(static_cast<int>(exponent) - 10);
    return (code & 0x80U) != 0 ? -magnitude : magnitude;
}

constexpr auto e4m3_table = [] {
    std::array<double, 256> table{};
    for (unsigned code = 0; code < 256; ++code) table[code] = e4m3(code);
    return table;
}();

}  // namespace

unsigned e2m1_half_units(unsigned nibble) noexcept { return half_units[nibble & 7U]; }

double e2m1_value(unsigned nibble) noexcept {
    const double magnitude = 0.5 * half_units[nibble & 7U];
    return (nibble & 8U) != 0 ? -magnitude : magnitude;
}

double e8m0_value(std::uint8_t code) noexcept {
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : power_of_two(code - 127);
}

double e4m3_value(std::uint8_t code) noexcept { return e4m3_table[code]; }

double f16_value(std::uint16_t code) noexcept {
    const unsigned exponent = code >> 10 & 31U;
    const unsigned mantissa = code & 1023U;
    double magnitude;
    if (exponent == 31) {
        magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
        magnitude = mantissa * power_of_two(-24);
    } else {
        magnitude = (1024.0 + mantissa) * power_of_two(static_cast<int>(exponent) - 25);
    }
    return (code & 0x8000U) != 0 ? -magnitude : magnitude;
}

double bf16_value(std::uint16_t code) noexcept { return f32_value(static_cast<std::uint32_t>(code) << 16); }

double f32_value(std::uint32_t code) noexcept { return static_cast<double>(std::bit_cast<float>(code)); }

Exact exact(double value) noexcept {
    assert(std::isfinite(value));
    if (value == 0) return {};
    int exponent = 0;
    auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    const int spare = std::countr_zero(static_cast<std::uint64_t>(significand));
    significand >>= spare;
    return {significand, exponent - 53 + spare};
}

Exact operator*(Exact a, Exact b) noexcept {
    if (a.significand == 0 || b.significand == 0) return {};
    std::int64_t product = 0;
    [[maybe_unused]] const bool overflow = __builtin_mul_overflow(a.significand, b.significand, &product);
    assert(!overflow);
    return {product, a.exponent + b.exponent};
}

}  // namespace assay::checkpoints

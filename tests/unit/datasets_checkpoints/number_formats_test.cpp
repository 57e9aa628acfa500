#include "datasets/checkpoints/number_formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::checkpoints {
namespace {

// The twin: any format with a sign, exponent and mantissa field, from its definition and ldexp alone.
struct Format {
    int exponent_bits;
    int mantissa_bits;
    int bias;
};

double decode(unsigned code, Format format) {
    const unsigned mantissa = code % (1U << format.mantissa_bits);
    const unsigned exponent = (code >> format.mantissa_bits) % (1U << format.exponent_bits);
    const bool negative = (code >> (format.mantissa_bits + format.exponent_bits)) % 2 == 1;
    const double fraction = std::ldexp(static_cast<double>(mantissa), -format.mantissa_bits);
    const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - format.bias)
                                           : std::ldexp(1.0 + fraction, static_cast<int>(exponent) - format.bias);
    return negative ? -magnitude : magnitude;
}

void expect_same(double found, double wanted, unsigned code) {
    EXPECT_EQ(found, wanted) << code;
    EXPECT_EQ(std::signbit(found), std::signbit(wanted)) << code;
}

TEST(NumberFormats, EveryE2m1CodeIsItsBitFields) {
    for (unsigned code = 0; code < 16; ++code) {
        expect_same(e2m1_value(code), decode(code, {2, 1, 1}), code);
        EXPECT_EQ(static_cast<double>(e2m1_half_units(code)), 2 * std::fabs(decode(code, {2, 1, 1})));
    }
}

TEST(NumberFormats, EveryE8m0CodeIsAPowerOfTwoAnd255IsNan) {
    for (unsigned code = 0; code < 255; ++code)
        expect_same(e8m0_value(static_cast<std::uint8_t>(code)), std::ldexp(1.0, static_cast<int>(code) - 127), code);
    EXPECT_TRUE(std::isnan(e8m0_value(255)));
}

TEST(NumberFormats, EveryE4m3CodeIsItsBitFieldsAndOnly7fAndFfAreNan) {
    for (unsigned code = 0; code < 256; ++code) {
        const double value = e4m3_value(static_cast<std::uint8_t>(code));
        if ((code & 0x7fU) == 0x7fU) {
            EXPECT_TRUE(std::isnan(value)) << code;
        } else {
            expect_same(value, decode(code, {4, 3, 7}), code);
        }
    }
    EXPECT_EQ(e4m3_value(0x7e), 448.0);
    EXPECT_EQ(e4m3_value(0x01), 0x1p-9);
}

TEST(NumberFormats, EveryF16CodeIsItsBitFields) {
    for (unsigned code = 0; code < 65536; ++code) {
        const double value = f16_value(static_cast<std::uint16_t>(code));
        if ((code >> 10 & 31U) != 31U) {
            expect_same(value, decode(code, {5, 10, 15}), code);
        } else if ((code & 1023U) != 0) {
            EXPECT_TRUE(std::isnan(value)) << code;
        } else {
            expect_same(value,
                        (code & 0x8000U) != 0 ? -std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::infinity(),
                        code);
        }
    }
}

TEST(NumberFormats, EveryBf16CodeIsItsBitFieldsAlsoAsF32) {
    for (unsigned code = 0; code < 65536; ++code) {
        const double value = bf16_value(static_cast<std::uint16_t>(code));
        const double wide = f32_value(code << 16);
        if ((code >> 7 & 255U) != 255U) {
            expect_same(value, decode(code, {8, 7, 127}), code);
            expect_same(wide, decode(code << 16, {8, 23, 127}), code);
        } else if ((code & 127U) != 0) {
            EXPECT_TRUE(std::isnan(value) && std::isnan(wide)) << code;
        } else {
            EXPECT_TRUE(std::isinf(value) && std::isinf(wide)) << code;
        }
    }
}

TEST(NumberFormats, ExactSplitsAndMultipliesWithoutRounding) {
    for (const double value : {1.0, -3.0, 448.0, 0x1.fffffep+127, 0x1p-149, 0.1f * 1.0}) {
        const Exact parts = exact(value);
        EXPECT_EQ(parts.significand % 2 == 0, false) << value;
        EXPECT_EQ(std::ldexp(static_cast<double>(parts.significand), parts.exponent), value);
    }
    EXPECT_EQ(exact(0.0), Exact{});
    EXPECT_EQ(exact(-0.0), Exact{});
    EXPECT_EQ(exact(3.0) * exact(0x1p-20), exact(0x3p-20));
    EXPECT_EQ(exact(5.0) * exact(0.0), Exact{});
}

TEST(NumberFormats, EveryPairOfBlockScalesMultipliesToTheSameDoubleAsItsParts) {
    for (unsigned k = 0; k < 255; ++k) {
        for (unsigned code = 0; code < 256; ++code) {
            if ((code & 0x7fU) == 0x7fU) continue;
            const double power = e8m0_value(static_cast<std::uint8_t>(k));
            const double scale = e4m3_value(static_cast<std::uint8_t>(code));
            const Exact product = exact(power) * exact(scale);
            ASSERT_EQ(std::ldexp(static_cast<double>(product.significand), product.exponent), power * scale)
                << k << " " << code;
            // The closed form: the E8M0 scale equals the E4M3 one times 2^m exactly where their exponents say so.
            const int e = static_cast<int>(code >> 3 & 15U);
            const bool is_power =
                (code & 0x80U) == 0 &&
                (e == 0 ? (code & 7U) == 1 || (code & 7U) == 2 || (code & 7U) == 4 : (code & 7U) == 0);
            const int exponent = e != 0 ? e - 7 : (code & 7U) == 1 ? -9 : (code & 7U) == 2 ? -8 : -7;
            ASSERT_EQ(std::ldexp(1.0, static_cast<int>(k) - 127) == scale,
                      is_power && exponent == static_cast<int>(k) - 127)
                << k << " " << code;
        }
    }
}

}  // namespace
}  // namespace assay::checkpoints

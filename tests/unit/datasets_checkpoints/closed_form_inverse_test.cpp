#include "datasets/checkpoints/closed_form_inverse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "datasets/checkpoints/number_formats.hpp"

namespace assay::checkpoints {
namespace {

// One block of two scales undone.
std::optional<InverseFault> undo(int m, unsigned left, unsigned right, std::uint8_t& code) {
    const std::array<std::byte, 2> scales{static_cast<std::byte>(left), static_cast<std::byte>(right)};
    std::array<std::byte, 1> undone{};
    const auto fault = undo_closed_form(m, scales, undone);
    code = static_cast<std::uint8_t>(undone[0]);
    return fault;
}

TEST(ClosedFormInverse, EveryPairOfACodeAndAGlobalScaleGivesTheSameNumberOrIsRefused) {
    for (int m = -149; m <= 127; ++m) {
        for (unsigned code = 0; code < 256; ++code) {
            const double scale = e4m3_value(static_cast<std::uint8_t>(code));
            int ignored = 0;
            const bool power = std::isfinite(scale) && scale > 0 && std::frexp(scale, &ignored) == 0.5;
            const double product = scale * std::ldexp(1.0, m);
            std::uint8_t undone = 0;
            const auto fault = undo(m, code, code, undone);
            if (!power) {
                ASSERT_TRUE(fault) << m << ' ' << code;
                EXPECT_EQ(fault->reason, NotClosedForm::no_power);
            } else if (product < std::ldexp(1.0, -127) || product > std::ldexp(1.0, 127)) {
                ASSERT_TRUE(fault) << m << ' ' << code;
                EXPECT_EQ(fault->reason, NotClosedForm::out_of_range);
            } else {
                ASSERT_FALSE(fault) << m << ' ' << code;
                EXPECT_EQ(e8m0_value(undone), product) << m << ' ' << code;
            }
        }
    }
}

TEST(ClosedFormInverse, HalvesWithUnlikeScalesAreRefusedWithTheirBlock) {
    const std::vector<std::byte> scales{std::byte{0x78}, std::byte{0x78}, std::byte{0x70}, std::byte{0x78}};
    std::vector<std::byte> undone(2);
    const auto fault = undo_closed_form(-8, scales, undone);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason, NotClosedForm::unpaired);
    EXPECT_EQ(fault->block, 1U);
    EXPECT_EQ(undone[0], std::byte{127});
}

TEST(ClosedFormInverse, AGlobalScaleIsAPositivePowerOfTwoOrNothing) {
    for (int m = -149; m <= 127; ++m) {
        EXPECT_EQ(global_exponent(GlobalScale::multiplier, std::ldexp(1.0F, m)), m);
        EXPECT_EQ(global_exponent(GlobalScale::divisor, std::ldexp(1.0F, m)), -m);
    }
    for (const float other : {0.0F, -0.0F, -1.0F, 3.0F, std::nanf(""), INFINITY, -INFINITY, std::nextafter(1.0F, 2.0F)})
        EXPECT_EQ(global_exponent(GlobalScale::multiplier, other), std::nullopt) << other;
}

TEST(ClosedFormInverse, ExponentsOfCodesAreThoseOfTheirValues) {
    int powers = 0;
    for (unsigned code = 0; code < 256; ++code) {
        const auto exponent = e4m3_exponent(static_cast<std::uint8_t>(code));
        if (!exponent) continue;
        ++powers;
        EXPECT_EQ(std::ldexp(1.0, *exponent), e4m3_value(static_cast<std::uint8_t>(code))) << code;
    }
    EXPECT_EQ(powers, 18);
}

}  // namespace
}  // namespace assay::checkpoints

// What a difference is said to be, where it lies, and what of it is kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "scorers/bit_exact/comparison.hpp"
#include "tests/unit/scorers_bit_exact/pairs.hpp"

namespace assay::bit_exact {
namespace {

BlockDifference only_difference(const Pair& pair) {
    Comparison comparison(10);
    comparison.add(window_of(pair.source, pair.target, pair.rows, pair.columns));
    EXPECT_EQ(comparison.differences().size(), 1U);
    return comparison.differences().empty() ? BlockDifference{} : comparison.differences()[0];
}

TEST(Comparison, AFlippedNibbleIsLocatedToItsElementWithBothValues) {
    Pair pair = quiet_pair();
    pair.target.payload[48 * 2 + 16 + 3] ^= 0x10;
    const BlockDifference found = only_difference(pair);
    EXPECT_EQ(found.kind, Difference::nibble);
    EXPECT_EQ(found.row, 2U);
    EXPECT_EQ(found.block, 1U);
    EXPECT_EQ(found.element, 7U);
    EXPECT_EQ(found.target_code, found.source_code ^ 1);
    EXPECT_NE(found.source_value, found.target_value);
}

TEST(Comparison, ALostNegativeZeroIsValueEqualAndByteDifferent) {
    Pair pair = quiet_pair();
    pair.source.payload[5] = 0x08;
    pair.target.payload[5] = 0x00;
    EXPECT_EQ(only_difference(pair).kind, Difference::negative_zero);
    const BlockTally tally = tally_of(window_of(pair.source, pair.target, pair.rows, pair.columns));
    EXPECT_EQ(tally.exact, tally.blocks);
    EXPECT_EQ(tally.payload_equal, tally.blocks - 1);
    EXPECT_EQ(tally.max_abs_err, 0.0);
}

TEST(Comparison, ShiftedCodesUnderAShiftedScaleAreRescaled) {
    Pair pair = quiet_pair();
    for (int i = 0; i < 16; ++i) {
        pair.source.payload[i] = 0x42;  // 1 and 2
        pair.target.payload[i] = 0x64;  // 2 and 4
    }
    pair.source.scales[0] = static_cast<std::uint8_t>(127 + std::ilogb(pair.target.encoding.global));
    pair.target.scales[0] = pair.target.scales[1] = 0x30;  // 1/2
    EXPECT_EQ(only_difference(pair).kind, Difference::rescaled);
}

TEST(Comparison, AChangedScaleIsOne) {
    Pair pair = quiet_pair();
    pair.target.scales[7] = static_cast<std::uint8_t>(pair.target.scales[7] == 0x38 ? 0x40 : 0x38);
    const BlockDifference found = only_difference(pair);
    EXPECT_EQ(found.kind, Difference::scale);
    EXPECT_EQ(found.row, 1U);
    EXPECT_EQ(found.block, 0U);
    EXPECT_EQ(found.element, 16U);
}

TEST(Comparison, AScaleAtTheEndOfTheRangeIsClamped) {
    Pair pair = quiet_pair();
    pair.source.scales[0] = static_cast<std::uint8_t>(127 + std::ilogb(pair.target.encoding.global) - 12);
    pair.target.scales[0] = pair.target.scales[1] = 0x01;
    EXPECT_EQ(only_difference(pair).kind, Difference::clamped);
}

TEST(Comparison, SwappedNibblesAndShiftedRowsAreTold) {
    Pair pair = quiet_pair();
    for (int i = 0; i < 16; ++i)
        pair.target.payload[i] = static_cast<std::uint8_t>(pair.source.payload[i] >> 4 | pair.source.payload[i] << 4);
    EXPECT_EQ(only_difference(pair).kind, Difference::swapped_nibbles);
    pair = quiet_pair();
    for (int i = 0; i < 16; ++i) pair.target.payload[48 + i] = pair.source.payload[i];
    EXPECT_EQ(only_difference(pair).kind, Difference::shifted_rows);
}

TEST(Comparison, RowsShiftedAcrossWindowsAreTold) {
    Pair pair = quiet_pair();
    std::mt19937 random(5);
    for (auto& byte : pair.source.payload) byte = static_cast<std::uint8_t>(random() >> 3 | 0x11);
    for (const bool down : {false, true}) {
        pair.target.payload = pair.source.payload;
        const std::size_t row = pair.columns / 2;
        if (down) {
            std::copy(pair.source.payload.begin(), pair.source.payload.end() - static_cast<std::ptrdiff_t>(row),
                      pair.target.payload.begin() + static_cast<std::ptrdiff_t>(row));
        } else {
            std::copy(pair.source.payload.begin() + static_cast<std::ptrdiff_t>(row), pair.source.payload.end(),
                      pair.target.payload.begin());
        }
        const Window all = window_of(pair.source, pair.target, pair.rows, pair.columns);
        Comparison whole(1000);
        whole.add(all);
        EXPECT_EQ(whole.tally().count(Difference::shifted_rows), 15U);
        for (const std::uint64_t step : {1U, 2U, 4U}) {
            Comparison comparison(1000);
            std::vector<BlockDifference> taken;
            for (std::uint64_t first = 0; first < pair.rows; first += step) {
                const std::uint64_t rows = std::min(step, pair.rows - first);
                const auto part = [&](const Side& side) -> Side {
                    const std::uint64_t scales = side.scales.size() / pair.rows;
                    return {side.encoding, side.payload.subspan(first * row, rows * row),
                            side.scales.subspan(first * scales, rows * scales)};
                };
                comparison.add({first, rows, pair.columns, part(all.source), part(all.target)});
                comparison.take_settled(taken);
            }
            taken.insert(taken.end(), comparison.differences().begin(), comparison.differences().end());
            EXPECT_EQ(comparison.tally().differences, whole.tally().differences) << step;
            ASSERT_EQ(taken.size(), whole.differences().size());
            for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i].kind, whole.differences()[i].kind) << i;
        }
    }
}

TEST(Comparison, WhatAServerComputesMayBeAlikeWhereValuesAreNotAndTheReverse) {
    // Scales of 2^-155 and 2^-156 lie below FP32: both blocks are served as zeros.
    Stored source{nvfp4(0x1p-149F), Bytes(8, 0x22), {0x08}};
    Stored target{nvfp4(0x1p-149F), Bytes(8, 0x22), {0x04}};
    const BlockTally tally = tally_of(window_of(source, target, 1, 16));
    EXPECT_EQ(tally.exact, 0U);
    EXPECT_EQ(tally.served_fp32, 1U);
    // 1/3 of 3 is 1 in BF16, and not as a number.
    Stored third{reciprocal(3.0F), Bytes(8, 0x55), {0x38}};
    Stored one{nvfp4(1.0F), Bytes(8, 0x22), {0x38}};
    const BlockTally thirds = tally_of(window_of(third, one, 1, 16));
    EXPECT_EQ(thirds.exact, 1U);
    EXPECT_EQ(thirds.served_bf16, 1U);
}

TEST(Comparison, AComparisonThatWasResetKnowsNothingOfTheWeightBefore) {
    const Pair a = cast_pair(false, 3);
    Pair b = cast_pair(true, 4);
    b.target.payload[7] ^= 1;
    Comparison fresh(10);
    fresh.add(window_of(b.source, b.target, b.rows, b.columns));
    Comparison used(10);
    Pair broken = a;
    for (auto& byte : broken.target.payload) byte ^= 0x22;
    used.add(window_of(broken.source, broken.target, a.rows, a.columns));
    used.reset();
    used.add(window_of(b.source, b.target, b.rows, b.columns));
    EXPECT_EQ(used.tally().differences, fresh.tally().differences);
    EXPECT_EQ(used.tally().exact, fresh.tally().exact);
    EXPECT_EQ(used.tally().max_abs_err, fresh.tally().max_abs_err);
    EXPECT_EQ(used.differences().size(), fresh.differences().size());
}

TEST(Comparison, AnUndefinedScaleIsNeverExactEvenWithEqualBytes) {
    Pair pair = quiet_pair();
    pair.target = pair.source;
    pair.source.scales[4] = pair.target.scales[4] = 255;
    const BlockDifference found = only_difference(pair);
    EXPECT_EQ(found.kind, Difference::undefined);
    EXPECT_TRUE(std::isnan(found.source_value));
}

TEST(Comparison, AGlobalScaleThatIsNoPowerOfTwoMakesRequantizedBlocks) {
    Pair pair = quiet_pair();
    pair.target.encoding.global *= 1.5F;
    const BlockTally tally = tally_of(window_of(pair.source, pair.target, pair.rows, pair.columns));
    EXPECT_EQ(tally.count(Difference::requantized), tally.blocks);
    EXPECT_EQ(tally.errors[0], tally.blocks);
    EXPECT_GT(tally.max_abs_err, 0.0);
}

TEST(Comparison, OneFactorOverAWholeWeightIsItsGlobalScale) {
    Pair pair = quiet_pair();
    pair.target.encoding.global *= 2;
    BlockTally tally = tally_of(window_of(pair.source, pair.target, pair.rows, pair.columns));
    ASSERT_TRUE(is_off_by_global_scale(tally));
    settle(tally, {true, false});
    EXPECT_EQ(tally.count(Difference::global_scale), tally.blocks);
    EXPECT_EQ(tally.scale_factor, 2.0);
}

TEST(Comparison, OfManyDifferencesTheFirstAreKeptAndAllCounted) {
    Pair pair = quiet_pair();
    for (auto& byte : pair.target.payload) byte ^= 0x06;
    Comparison comparison(3);
    comparison.add(window_of(pair.source, pair.target, pair.rows, pair.columns));
    ASSERT_EQ(comparison.differences().size(), 3U);
    EXPECT_EQ(comparison.differences()[2].block, 2U);
    EXPECT_EQ(comparison.tally().exact, 0U);
}

}  // namespace
}  // namespace assay::bit_exact

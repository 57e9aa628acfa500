#include "scorers/bit_exact/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace assay::bit_exact {
namespace {

using checkpoints::BlockScale;
using checkpoints::GlobalScale;

using Bytes = std::vector<std::uint8_t>;

std::span<const std::byte> view(const Bytes& bytes) { return std::as_bytes(std::span(bytes)); }

struct Stored {
    Encoding encoding;
    Bytes payload;
    Bytes scales;
    [[nodiscard]] Side side() const { return {encoding, view(payload), view(scales)}; }
};

constexpr Encoding mxfp4{BlockScale::e8m0, GlobalScale::none, 32, 1.0F};
Encoding nvfp4(float global) { return {BlockScale::e4m3, GlobalScale::multiplier, 16, global}; }
Encoding reciprocal(float global) { return {BlockScale::e4m3, GlobalScale::divisor, 16, global}; }

// The twin: decodes each value from bit fields with ldexp in long double, whose 64 bits hold every product here,
// and compares them across the division. Shares nothing with the code above.
long double twin_e2m1(unsigned code) {
    const unsigned exponent = code >> 1 & 3U;
    const long double half = static_cast<long double>(code & 1U) / 2;
    const long double magnitude = exponent == 0 ? half : std::ldexp(1.0L + half, static_cast<int>(exponent) - 1);
    return (code & 8U) != 0 ? -magnitude : magnitude;
}

long double twin_scale(const Encoding& encoding, unsigned code) {
    if (encoding.block_scale == BlockScale::e8m0)
        return code == 255 ? NAN : std::ldexp(1.0L, static_cast<int>(code) - 127);
    if ((code & 127U) == 127U) return NAN;
    const unsigned exponent = code >> 3 & 15U;
    const long double fraction = static_cast<long double>(code & 7U) / 8;
    const long double magnitude =
        exponent == 0 ? std::ldexp(fraction, -6) : std::ldexp(1 + fraction, static_cast<int>(exponent) - 7);
    return (code & 128U) != 0 ? -magnitude : magnitude;
}

// What FP32 holds of a number: 24 bits, or fewer below 2^-126, to nearest, ties to even; beyond its range infinity.
long double twin_rounded(long double value, int bits) {
    if (!std::isfinite(value) || value == 0) return value;
    const int exponent = std::max(std::ilogb(value), -126);
    const long double unit = std::ldexp(1.0L, exponent - bits + 1);
    const long double rounded = std::nearbyint(value / unit) * unit;
    return std::fabs(rounded) >= 0x1p128L ? std::copysign(static_cast<long double>(INFINITY), rounded) : rounded;
}

long double twin_served(const Encoding& encoding, unsigned code, unsigned scale_code) {
    const long double block = twin_scale(encoding, scale_code);
    const auto global = static_cast<long double>(encoding.global);
    const long double scale = encoding.global_scale == GlobalScale::multiplier ? block * global
                              : encoding.global_scale == GlobalScale::divisor  ? block / global
                                                                               : block;
    return twin_rounded(twin_e2m1(code) * twin_rounded(scale, 24), 24);
}

struct TwinCounts {
    std::uint64_t blocks = 0, exact = 0, payload_equal = 0, undefined = 0, served_fp32 = 0, served_bf16 = 0;
    double max_abs_err = 0;
};

TwinCounts twin(const Window& w) {
    static_assert(std::numeric_limits<long double>::digits >= 64);
    TwinCounts counts;
    const auto multiplier = [](const Encoding& e) {
        return e.global_scale == GlobalScale::multiplier ? static_cast<long double>(e.global) : 1.0L;
    };
    const auto divisor = [](const Encoding& e) {
        return e.global_scale == GlobalScale::divisor ? static_cast<long double>(e.global) : 1.0L;
    };
    const unsigned width = w.source.encoding.block_columns;
    for (std::uint64_t first = 0; first < w.rows * w.columns; first += width) {
        bool equal = true, codes = true, undefined = false, fp32 = true, bf16 = true;
        double worst = 0;
        for (std::uint64_t i = first; i < first + width; ++i) {
            const auto code = [&](const Side& side) {
                return static_cast<unsigned>(side.payload[i / 2]) / (i % 2 == 0 ? 1U : 16U) % 16U;
            };
            const auto scale = [&](const Side& side) {
                return twin_scale(side.encoding, static_cast<unsigned>(side.scales[i / side.encoding.block_columns]));
            };
            const long double a = twin_e2m1(code(w.source)) * scale(w.source) * multiplier(w.source.encoding);
            const long double b = twin_e2m1(code(w.target)) * scale(w.target) * multiplier(w.target.encoding);
            const long double da = divisor(w.source.encoding), db = divisor(w.target.encoding);
            codes = codes && code(w.source) == code(w.target);
            const auto served = [&](const Side& side) {
                return twin_served(side.encoding, code(side),
                                   static_cast<unsigned>(side.scales[i / side.encoding.block_columns]));
            };
            fp32 = fp32 && served(w.source) == served(w.target);
            bf16 = bf16 && twin_rounded(served(w.source), 8) == twin_rounded(served(w.target), 8);
            if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(da) || !std::isfinite(db) || da == 0 ||
                db == 0) {
                undefined = true;
            } else if (a * db != b * da) {
                equal = false;
                worst = std::max(worst, std::fabs(static_cast<double>(a / da - b / db)));
            }
        }
        ++counts.blocks;
        counts.served_fp32 += fp32 ? 1 : 0;
        counts.served_bf16 += bf16 ? 1 : 0;
        counts.payload_equal += codes ? 1 : 0;
        counts.exact += equal && !undefined ? 1 : 0;
        counts.undefined += undefined ? 1 : 0;
        if (!undefined) counts.max_abs_err = std::max(counts.max_abs_err, worst);
    }
    return counts;
}

Window window_of(const Stored& source, const Stored& target, std::uint64_t rows, std::uint64_t columns) {
    return {0, rows, columns, source.side(), target.side()};
}

BlockTally tally_of(const Window& window) {
    Comparison comparison(1000);
    comparison.add(window);
    return comparison.tally();
}

void expect_as_twin(const Window& window) {
    const TwinCounts wanted = twin(window);
    const BlockTally found = tally_of(window);
    EXPECT_EQ(found.blocks, wanted.blocks);
    EXPECT_EQ(found.exact, wanted.exact);
    EXPECT_EQ(found.payload_equal, wanted.payload_equal);
    EXPECT_EQ(found.served_fp32, wanted.served_fp32);
    EXPECT_EQ(found.served_bf16, wanted.served_bf16);
    EXPECT_EQ(found.count(Difference::undefined), wanted.undefined);
    const bool divides = window.source.encoding.global_scale == GlobalScale::divisor ||
                         window.target.encoding.global_scale == GlobalScale::divisor;
    if (divides) {
        EXPECT_NEAR(found.max_abs_err, wanted.max_abs_err, 1e-12 * wanted.max_abs_err);
    } else {
        EXPECT_EQ(found.max_abs_err, wanted.max_abs_err);
    }
    std::uint64_t different = 0;
    for (const std::uint64_t count : found.differences) different += count;
    EXPECT_EQ(different - found.count(Difference::negative_zero) - found.count(Difference::rescaled),
              found.blocks - found.exact);
}

// A source and its closed-form cast, written out plainly.
struct Pair {
    Stored source;
    Stored target;
    std::uint64_t rows;
    std::uint64_t columns;
};

Pair cast_pair(bool divides, unsigned seed, std::uint64_t rows = 6, std::uint64_t columns = 96) {
    std::mt19937 random(seed);
    Pair pair{{mxfp4, {}, {}}, {{}, {}, {}}, rows, columns};
    for (std::uint64_t i = 0; i < rows * columns / 2; ++i)
        pair.source.payload.push_back(static_cast<std::uint8_t>(random() >> 5));
    const int m = static_cast<int>(random() % 40) - 30;
    for (std::uint64_t i = 0; i < rows * columns / 32; ++i) {
        const int d = static_cast<int>(random() % 18) - 9;
        pair.source.scales.push_back(static_cast<std::uint8_t>(d + m + 127));
        const std::uint8_t code =
            d >= -6 ? static_cast<std::uint8_t>((d + 7) * 8) : static_cast<std::uint8_t>(1 << (d + 9));
        pair.target.scales.insert(pair.target.scales.end(), {code, code});
    }
    pair.target.payload = pair.source.payload;
    const float global = std::ldexp(1.0F, divides ? -m : m);
    pair.target.encoding = divides ? reciprocal(global) : nvfp4(global);
    return pair;
}

TEST(Comparison, AClosedFormCastIsExactInBothDialectsAndBothWays) {
    for (const bool divides : {false, true}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const Pair pair = cast_pair(divides, seed);
            const BlockTally tally = tally_of(window_of(pair.source, pair.target, pair.rows, pair.columns));
            EXPECT_EQ(tally.blocks, 18U);
            EXPECT_EQ(tally.exact, 18U);
            EXPECT_EQ(tally.payload_equal, 18U);
            EXPECT_EQ(tally.max_abs_err, 0.0);
            const BlockTally back = tally_of(window_of(pair.target, pair.source, pair.rows, pair.columns));
            EXPECT_EQ(back.blocks, 36U);
            EXPECT_EQ(back.exact, 36U);
        }
    }
}

TEST(Comparison, EveryPairOfScaleCodesIsJudgedAsTheTwinDoes) {
    for (const float global : {1.0F, 0x1p-8F, 0x1p-140F, 0x1p100F, 0.3F, -2.0F, 0.0F, INFINITY, NAN}) {
        for (const bool divides : {false, true}) {
            Pair pair{{mxfp4, Bytes(256 * 16, 0x71), {}},
                      {divides ? reciprocal(global) : nvfp4(global), Bytes(256 * 16, 0x71), {}},
                      1,
                      256 * 32};
            for (unsigned code = 0; code < 256; ++code) pair.source.scales.push_back(static_cast<std::uint8_t>(code));
            for (unsigned shift = 0; shift < 256; shift += global == 0x1p-8F ? 1 : 17) {
                pair.target.scales.clear();
                for (unsigned code = 0; code < 256; ++code)
                    pair.target.scales.insert(pair.target.scales.end(), 2, static_cast<std::uint8_t>(code + shift));
                expect_as_twin(window_of(pair.source, pair.target, pair.rows, pair.columns));
            }
        }
    }
}

TEST(Comparison, RandomBytesAreJudgedAsTheTwinDoesInEveryCombinationOfEncodings) {
    std::mt19937 random(7);
    const auto encoding = [&]() -> Encoding {
        const float odd =
            std::ldexp(1.0F + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 20) - 10);
        const float power = std::ldexp(1.0F, static_cast<int>(random() % 6) - 3);
        const float global = random() % 2 == 0 ? odd : power;
        switch (random() % 3) {
            case 0: return mxfp4;
            case 1: return nvfp4(global);
            default: return reciprocal(global);
        }
    };
    for (int round = 0; round < 3000; ++round) {
        const std::uint64_t rows = 1 + random() % 3, columns = 32 * (1 + random() % 3);
        Stored source{encoding(), Bytes(rows * columns / 2), {}};
        Stored target{encoding(), {}, {}};
        for (auto& byte : source.payload) byte = static_cast<std::uint8_t>(random() >> 3);
        target.payload = source.payload;
        if (random() % 2 == 0)
            target.payload[random() % target.payload.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        for (Stored* side : {&source, &target}) {
            side->scales.resize(rows * columns / side->encoding.block_columns);
            for (auto& scale : side->scales)
                scale = static_cast<std::uint8_t>(
                    side->encoding.block_scale == BlockScale::e8m0 ? 124 + random() % 6 : 0x20 + 8 * (random() % 6));
            if (random() % 4 == 0) side->scales[random() % side->scales.size()] = static_cast<std::uint8_t>(random());
        }
        expect_as_twin(window_of(source, target, rows, columns));
        if (testing::Test::HasFailure()) FAIL() << "round " << round;
    }
}

TEST(Comparison, TwoGlobalScalesOf24BitsAreComparedWithoutRounding) {
    // 3 * 15 * (2^24 - 1) * (2^24 - 3) against its neighbour needs 54 bits; a double would call them equal.
    Stored source{nvfp4(0x1.fffffep0F), Bytes(8, 0x55), {0x3f}};
    Stored target{reciprocal(0x1.fffffap0F), Bytes(8, 0x55), {0x3f}};
    expect_as_twin(window_of(source, target, 1, 16));
    EXPECT_EQ(tally_of(window_of(source, target, 1, 16)).exact, 0U);
}

// --- classes -----------------------------------------------------------------------------------------------------

BlockDifference only_difference(const Pair& pair) {
    Comparison comparison(10);
    comparison.add(window_of(pair.source, pair.target, pair.rows, pair.columns));
    EXPECT_EQ(comparison.differences().size(), 1U);
    return comparison.differences().empty() ? BlockDifference{} : comparison.differences()[0];
}

Pair quiet_pair() {
    Pair pair = cast_pair(false, 1);
    for (auto* payload : {&pair.source.payload, &pair.target.payload}) {
        for (std::size_t i = 0; i < payload->size(); ++i)
            (*payload)[i] = static_cast<std::uint8_t>(0x21 + 0x11 * (i % 5) + i / 48 * 2);
    }
    return pair;
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

TEST(Comparison, LostNegativeZerosAreCountedAlikeKeptOrNot) {
    Pair pair = quiet_pair();
    for (std::size_t i = 0; i < pair.source.payload.size(); i += 3) {
        pair.source.payload[i] = 0x80;
        pair.target.payload[i] = 0x08;
    }
    pair.target.payload[4] ^= 1;
    const Window window = window_of(pair.source, pair.target, pair.rows, pair.columns);
    Comparison none(0);
    none.add(window);
    EXPECT_EQ(none.tally().differences, tally_of(window).differences);
    EXPECT_EQ(none.tally().exact, tally_of(window).exact);
    EXPECT_GT(none.tally().count(Difference::negative_zero), 10U);
    expect_as_twin(window);
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

// Counts of a comparison against a slow twin.
#include "scorers/bit_exact/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/unit/scorers_bit_exact/pairs.hpp"

namespace assay::bit_exact {
namespace {


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

}  // namespace
}  // namespace assay::bit_exact

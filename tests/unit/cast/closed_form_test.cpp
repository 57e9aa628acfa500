// The closed form and the rescue against a slow twin: doubles, and every m tried.
#include "datasets/checkpoints/closed_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "datasets/checkpoints/number_formats.hpp"

namespace assay::checkpoints {
namespace {

constexpr std::array<double, 8> magnitudes{0, 0.5, 1, 1.5, 2, 3, 4, 6};

bool is_e2m1(double value) {
    for (const double one : magnitudes) {
        if (std::abs(value) == one) return true;
    }
    return false;
}

struct Block {
    std::uint8_t code = 0;
    std::array<std::byte, 16> packed{};

    [[nodiscard]] unsigned nibble(unsigned i) const {
        return static_cast<unsigned>(packed[i / 2]) >> (i % 2 * 4) & 15U;
    }
    [[nodiscard]] double value(unsigned i) const { return std::ldexp(e2m1_value(nibble(i)), code - 127); }
    // Whether some scale 2^d, d from -9 to 8, under 2^m holds the values of a half.
    [[nodiscard]] bool half_fits(unsigned half, int m) const {
        for (int d = -9; d <= 8; ++d) {
            bool fits = true;
            for (unsigned i = 16 * half; i < 16 * half + 16; ++i) fits = fits && is_e2m1(std::ldexp(value(i), -m - d));
            if (fits) return true;
        }
        return false;
    }
};

// Elements of one of several kinds: any, even magnitudes, small ones, all zeros, one half of zeros.
Block random_block(std::mt19937& random, int low, int span) {
    Block block;
    block.code = static_cast<std::uint8_t>(low + static_cast<int>(random() % static_cast<unsigned>(span + 1)));
    static const std::vector<std::vector<unsigned>> kinds{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 4, 5, 6, 7}, {0, 4, 6, 7},
                                                          {0, 6},                   {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3},
                                                          {0, 1},                   {0}};
    for (unsigned half = 0; half < 2; ++half) {
        const auto& kind = kinds[random() % kinds.size()];
        for (unsigned i = 0; i < 8; ++i) {
            const auto nibble = [&] { return kind[random() % kind.size()] | (random() % 2 << 3); };
            const auto low_nibble = nibble();
            block.packed[8 * half + i] = static_cast<std::byte>(low_nibble | nibble() << 4);
        }
    }
    return block;
}

struct Group {
    std::vector<Block> blocks;
    CodeRange range;
    Demand demand;

    explicit Group(std::mt19937& random) {
        const int span = static_cast<int>(random() % 41);
        const int low = random() % 4 == 0   ? 0
                        : random() % 4 == 1 ? 254 - span
                                            : static_cast<int>(random() % static_cast<unsigned>(255 - span));
        for (unsigned i = 0; i < 1 + random() % 6; ++i) blocks.push_back(random_block(random, low, span));
        for (const Block& block : blocks) {
            const auto code = std::byte{block.code};
            range.add(std::span(&code, 1));
            demand.add(block.code, block.packed);
        }
    }
    [[nodiscard]] int exponent() const { return range.fits() ? closed_form_exponent(range) : demand.exponent(range); }
    [[nodiscard]] bool fits(int m) const {
        for (const Block& block : blocks) {
            if (!block.half_fits(0, m) || !block.half_fits(1, m)) return false;
        }
        return true;
    }
};

// The two scales and the elements of a block under m, and what became of it; nothing where it is in range.
struct Cast {
    std::array<std::uint8_t, 2> scales{};
    Block block;
    bool outside = false;
    BlockFate fate{};
};

Cast cast(const Block& block, int m) {
    Cast made{{}, block, false, {}};
    std::array<std::byte, 2> e4m3{};
    std::vector<std::uint64_t> outside;
    const auto code = std::byte{block.code};
    cast_scales(m, std::span(&code, 1), e4m3, outside);
    made.scales = {static_cast<std::uint8_t>(e4m3[0]), static_cast<std::uint8_t>(e4m3[1])};
    if (outside.empty()) return made;
    const OutsideBlock changed = cast_outside_block(m, block.code, made.block.packed);
    made.outside = true;
    made.fate = changed.fate;
    made.scales = changed.scales;
    return made;
}

double value_of(const Cast& made, unsigned i, int m) {
    return std::ldexp(e2m1_value(made.block.nibble(i)) * e4m3_value(made.scales[i / 16]), m);
}

TEST(ClosedForm, KeepsEveryValueWhereverSomeGlobalScaleCan) {
    std::mt19937 random(1);
    int rescued = 0;
    int impossible = 0;
    for (int round = 0; round < 3000; ++round) {
        const Group group(random);
        const int m = group.exponent();
        bool exact = true;
        for (const Block& block : group.blocks) {
            const Cast made = cast(block, m);
            bool same = true;
            for (unsigned i = 0; i < 32; ++i) {
                same = same && value_of(made, i, m) == block.value(i);
                // Signs stay, those of zeros too.
                ASSERT_EQ(made.block.nibble(i) & 8U, block.nibble(i) & 8U);
            }
            ASSERT_EQ(same, !made.outside || made.fate == BlockFate::zeros || made.fate == BlockFate::rescued);
            if (!made.outside || made.fate == BlockFate::zeros) {
                ASSERT_EQ(made.block.packed, block.packed);
            }
            rescued += made.outside && made.fate == BlockFate::rescued ? 1 : 0;
            exact = exact && same;
        }
        bool possible = false;
        for (int other = -150; other <= 140 && !possible; ++other) possible = group.fits(other);
        ASSERT_EQ(exact, possible) << "m " << m << " round " << round;
        ASSERT_EQ(group.range.fits() || group.demand.least <= group.demand.greatest, possible);
        impossible += possible ? 0 : 1;
        ASSERT_GE(m, -126);
        ASSERT_LE(m, 119);
    }
    EXPECT_GT(rescued, 20);
    EXPECT_GT(impossible, 100);
}

TEST(ClosedForm, RoundsToTheNearestWhereItMust) {
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        const Block block = random_block(random, 100, 0);
        for (const int m : {100 - 127 - 8 - 5, 100 - 127 + 9 + 4, 100 - 127 + 9 + 1, 100 - 127 + 9 + 12}) {
            const Cast made = cast(block, m);
            for (unsigned i = 0; i < 32; ++i) {
                const double scale = std::ldexp(e4m3_value(made.scales[i / 16]), m);
                double best = 1e300;
                for (const double one : magnitudes) best = std::min(best, std::abs(one * scale - std::abs(block.value(i))));
                ASSERT_EQ(std::abs(std::abs(value_of(made, i, m)) - std::abs(block.value(i))), best);
            }
        }
    }
}

TEST(ClosedForm, TheUsualExponentPutsTheLargestScaleAtTheTop) {
    for (int high = 0; high < 255; ++high) {
        CodeRange range;
        const std::array<std::byte, 2> codes{static_cast<std::byte>(high), static_cast<std::byte>(std::max(0, high - 17))};
        range.add(codes);
        ASSERT_TRUE(range.fits());
        EXPECT_EQ(closed_form_exponent(range), std::max(-126, high - 127 - 8));
    }
}

TEST(ClosedForm, NanIsNeverInRange) {
    CodeRange range;
    const std::array<std::byte, 2> codes{std::byte{254}, std::byte{255}};
    range.add(codes);
    EXPECT_FALSE(range.fits());
    Block block;
    const OutsideBlock made = cast_outside_block(0, 255, block.packed);
    EXPECT_EQ(made.fate, BlockFate::nan);
    EXPECT_TRUE(std::isnan(e4m3_value(made.scales[0])));
}

}  // namespace
}  // namespace assay::checkpoints

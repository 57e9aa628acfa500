// Rows of scales compared along the line against one look-up a scale.
#include "scorers/bit_exact/scale_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scorers/bit_exact/scale_pairs.hpp"

namespace assay::bit_exact {
namespace {

using checkpoints::BlockScale;
using checkpoints::GlobalScale;
using Bytes = std::vector<std::byte>;

constexpr Encoding mxfp4{BlockScale::e8m0, GlobalScale::none, 32, 1.0F};
Encoding nvfp4(float global) { return {BlockScale::e4m3, GlobalScale::multiplier, 16, global}; }

struct Case {
    const char* name;
    Encoding source;
    Encoding target;
    unsigned codes;  // on the line
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"a cast", mxfp4, nvfp4(0x1p-13F), 15},
        {"a cast in the reciprocal dialect", mxfp4, {BlockScale::e4m3, GlobalScale::divisor, 16, 0x1p13F}, 15},
        {"the same", mxfp4, mxfp4, 255},
        {"the same casts", nvfp4(0.3F), nvfp4(0.3F), 126},
        {"under twice the scale", nvfp4(1), nvfp4(2), 111},
        {"no power of two", mxfp4, nvfp4(0.3F), 0},
        {"undefined", mxfp4, nvfp4(NAN), 0},
    };
    return all;
}

TEST(ScaleLine, IsAsLongAsTheFormatsAllow) {
    for (const Case& one : cases()) {
        ScalePairs pairs;
        pairs.prepare(one.source, one.target);
        const ScaleLine& line = pairs.line();
        EXPECT_EQ(line.first > line.last ? 0 : line.last - line.first + 1, one.codes) << one.name;
        for (unsigned code = line.first; code <= line.last; ++code)
            EXPECT_EQ((line.step * code + line.offset) % 256, pairs.match(static_cast<std::uint8_t>(code))) << one.name;
    }
}

// One pair of codes among others that match, at every place of rows that are whole vectors and not.
TEST(ScaleLine, HoldsWhereEveryLookUpDoesAndTheCodeIsOnIt) {
    for (const Case& one : cases()) {
        ScalePairs pairs;
        pairs.prepare(one.source, one.target);
        const ScaleLine& line = pairs.line();
        if (line.first > line.last) continue;
        const std::size_t twice = one.source.block_columns / one.target.block_columns;
        for (const std::size_t length : {1U, 16U, 37U}) {
            Bytes source(length, std::byte{line.first});
            Bytes target(length * twice, static_cast<std::byte>(pairs.match(line.first)));
            for (const std::size_t at : {std::size_t{0}, length / 2, length - 1}) {
                for (unsigned s = 0; s < 256; ++s) {
                    const bool on_line = s >= line.first && s <= line.last;
                    for (unsigned t = 0; t < 256; ++t) {
                        source[at] = static_cast<std::byte>(s);
                        for (std::size_t i = 0; i < twice; ++i) target[at * twice + i] = static_cast<std::byte>(t);
                        const bool wanted = on_line && pairs.match(static_cast<std::uint8_t>(s)) == t;
                        ASSERT_EQ(all_on_line(line, source, target), wanted) << one.name << ' ' << s << ' ' << t;
                        if (twice == 1 || !wanted) continue;
                        target[at * twice + 1] ^= std::byte{8};
                        ASSERT_FALSE(all_on_line(line, source, target)) << one.name << ' ' << s;
                    }
                }
                source.assign(length, std::byte{line.first});
                target.assign(length * twice, static_cast<std::byte>(pairs.match(line.first)));
            }
        }
    }
}

TEST(ScaleLine, CodesWithoutAMatchAreOnNone) {
    std::array<std::uint32_t, 256> match{};
    match.fill(ScalePairs::no_match);
    EXPECT_GT(longest_line(match).first, longest_line(match).last);
    match[7] = 3;  // alone
    EXPECT_GT(longest_line(match).first, longest_line(match).last);
    match[254] = 9;
    match[255] = 8;
    const ScaleLine line = longest_line(match);
    EXPECT_EQ(line.first, 254);
    EXPECT_EQ(line.last, 255);
    EXPECT_EQ(line.step, 255);  // one down
}

}  // namespace
}  // namespace assay::bit_exact

#include "reports/terminal/width.hpp"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(Width, CountsColumnsNotBytes) {
    EXPECT_EQ(display_width("abc"), 3);
    EXPECT_EQ(display_width("\xC3\xA9\xC2\xB1"), 2);
    EXPECT_EQ(display_width("\xE4\xB8\xAD\xE6\x96\x87"), 4);  // two ideographs
    EXPECT_EQ(display_width("e\xCC\x81"), 1);                 // with a combining acute
    EXPECT_EQ(display_width("\xF0\x9F\x98\x80"), 2);
    EXPECT_EQ(display_width("\xEF\xBC\xA1"), 2);  // fullwidth A
    EXPECT_EQ(display_width("\xEA\xB0\x80"), 2);  // Hangul syllable
}

TEST(Width, CutsWithDotsAndNeverInsideACharacter) {
    EXPECT_EQ(cut_to_width("abcdef", 6), "abcdef");
    EXPECT_EQ(cut_to_width("abcdef", 5), "ab...");
    EXPECT_EQ(cut_to_width("abcdef", 2), "..");
    EXPECT_EQ(cut_to_width("abcdef", 0), "");
    EXPECT_EQ(cut_to_width("abcdef", -3), "");
    // Two columns an ideograph: of five columns, three are dots and one ideograph fits beside them.
    EXPECT_EQ(cut_to_width("\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD", 5), "\xE4\xB8\xAD...");
    EXPECT_EQ(cut_to_width("\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD", 4), "...");
}

TEST(Width, KeepsACombiningMarkWithItsLetter) {
    EXPECT_EQ(cut_to_width("e\xCC\x81"
                           "bcde",
                           4),
              "e\xCC\x81...");
}

TEST(Width, PadsByColumns) {
    EXPECT_EQ(padded_right("\xE4\xB8\xAD", 4), "\xE4\xB8\xAD  ");
    EXPECT_EQ(padded_left("\xC2\xB1", 3), "  \xC2\xB1");
    EXPECT_EQ(padded_left("abcd", 3), "abcd");
}

}  // namespace
}  // namespace assay::reports

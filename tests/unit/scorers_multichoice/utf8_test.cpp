#include "scorers/multichoice/utf8.hpp"

#include <gtest/gtest.h>

using assay::multichoice::RepairedText;
using namespace std::string_literals;

namespace {

std::string repaired(std::string_view bytes) { return std::string(RepairedText(bytes).view().bytes()); }

}  // namespace

TEST(RepairedText, LeavesValidTextWhereItIs) {
    const std::string text = "plain, \u00e9 \u20ac \U0001F600 \U0010FFFF \x00 end"s;
    const RepairedText view(text);
    EXPECT_FALSE(view.repaired());
    EXPECT_EQ(view.view().bytes().data(), text.data());
    EXPECT_EQ(view.view().bytes(), text);
}

// What Python 3.11 gives for bytes.decode(errors="replace").
TEST(RepairedText, ReplacesEveryMaximalPartAsPythonDoes) {
    EXPECT_EQ(repaired("a\xffz"), "a\uFFFDz");
    EXPECT_EQ(repaired("\xe2\x82"), "\uFFFD");
    EXPECT_EQ(repaired("\xe2\x82z"), "\uFFFDz");
    EXPECT_EQ(repaired("\xf0\x9f\x98z"), "\uFFFDz");
    EXPECT_EQ(repaired("\xc0\x80"), "\uFFFD\uFFFD");
    EXPECT_EQ(repaired("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(repaired("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(repaired("\x80\x80 A \xe2\x82\xe2\x82\xac"), "\uFFFD\uFFFD A \uFFFD\u20ac");
}

TEST(RepairedText, LeavesNothingToRepairForAnyTwoBytes) {
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const std::string bytes{static_cast<char>(first), static_cast<char>(second), 'A'};
            const std::string once = repaired(bytes);
            ASSERT_EQ(repaired(once), once);
            ASSERT_TRUE(once.ends_with('A')) << first << ' ' << second;
        }
    }
}

TEST(Utf8View, CountsOneCodePointWhateverItsBytes) {
    for (const char* one : {"A", "\u00e9", "\u20ac", "\U0001F600"}) {
        EXPECT_TRUE(RepairedText(one).view().is_one_code_point()) << one;
    }
    for (const char* other : {"", "AB", "e\u0301", "\u00e9\u00e9"}) {
        EXPECT_FALSE(RepairedText(other).view().is_one_code_point()) << other;
    }
}

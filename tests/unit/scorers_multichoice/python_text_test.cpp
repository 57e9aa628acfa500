#include "scorers/multichoice/python_text.hpp"

#include <gtest/gtest.h>

using namespace assay::multichoice;

namespace {

std::string stripped(std::string_view text) {
    const RepairedText valid(text);
    return std::string(strip(valid.view()).bytes());
}

std::string upper(std::string_view text) { return upper_letter(RepairedText(text).view()); }

}  // namespace

TEST(Strip, TakesUnicodeSpaceFromBothEnds) {
    EXPECT_EQ(stripped("\u00a0\u3000 A b \x1c\u2029\n"), "A b");
    EXPECT_EQ(stripped("\u200bA\ufeff"), "\u200bA\ufeff");
    EXPECT_EQ(stripped(" \t\n"), "");
    EXPECT_EQ(stripped(""), "");
}

TEST(UpperLetter, KeepsTheLettersThatPythonKeeps) {
    EXPECT_EQ(upper("b"), "B");
    EXPECT_EQ(upper("B"), "B");
    EXPECT_EQ(upper("\u0131"), "I");
    EXPECT_EQ(upper("\u017f"), "S");
    EXPECT_EQ(upper("\u0130"), "\u0130");
    EXPECT_EQ(upper("\u212a"), "\u212a");
}

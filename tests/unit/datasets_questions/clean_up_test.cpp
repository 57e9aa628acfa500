#include "datasets/questions/clean_up.hpp"

#include <gtest/gtest.h>

namespace assay::questions {
namespace {

TEST(CleanUp, MakesAnAbsentTextOneSpace) { EXPECT_EQ(clean_text(std::nullopt), " "); }

TEST(CleanUp, StripsPythonsWhiteSpaceAtBothEnds) { EXPECT_EQ(clean_text("\u00a0\r\n a\tb \u3000"), "a\tb"); }

TEST(CleanUp, ReplacesTwoSpacesInOnePass) {
    EXPECT_EQ(clean_text("a  b"), "a b");
    EXPECT_EQ(clean_text("a   b"), "a  b");
    EXPECT_EQ(clean_text("a    b"), "a  b");
    EXPECT_EQ(clean_text("a     b"), "a   b");
}

TEST(CleanUp, ReplacesTitleMarksBeforeSpaces) {
    EXPECT_EQ(clean_text("a [title] b"), "a. b") << "the two spaces that the replacement leaves become one";
    EXPECT_EQ(clean_text("a [title]b"), "a. b");
    EXPECT_EQ(clean_text("[title]b"), "[title]b") << "only with a space in front";
    EXPECT_EQ(clean_text(" [title] b"), "[title] b") << "stripped first";
}

TEST(CleanUp, KeepsOtherBracketsAndBraces) { EXPECT_EQ(clean_text("[NaCl] {x} {{y}}"), "[NaCl] {x} {{y}}"); }

TEST(CleanUp, CutsTheDifficultyAtItsParenthesis) {
    EXPECT_EQ(clean_difficulty("Hard graduate level (only those who .. (really))"), "Hard graduate level");
    EXPECT_EQ(clean_difficulty("Hard\u00a0\n(x)"), "Hard");
    EXPECT_EQ(clean_difficulty(" no parenthesis "), " no parenthesis ");
    EXPECT_EQ(clean_difficulty(" (x)"), "");
    EXPECT_EQ(clean_difficulty(std::nullopt), std::nullopt);
}

TEST(CleanUp, JoinsQuestionAndOptionsByAnEmptyLine) {
    EXPECT_EQ(problem_text("\n\n Why? \n", {"x", "y"}), " Why? \n\nA) x\nB) y");
    EXPECT_EQ(problem_text("Why?\r\n", {"x"}), "Why?\r\n\nA) x") << "only newlines are stripped, so the carriage return stays";
    EXPECT_EQ(problem_text("\n", {"x"}), "\n\nA) x");
}

}  // namespace
}  // namespace assay::questions

#include "reports/terminal/wrap.hpp"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(Wrap, BreaksAtSpacesAndIndentsWhatFollows) {
    EXPECT_EQ(wrapped("note: ", "one two three four five six seven", 24, 6),
              "note: one two three four\n      five six seven\n");
}

TEST(Wrap, WithoutALimitIsOneLine) {
    EXPECT_EQ(wrapped("a ", "b c", 0, 4), "a b c\n");
}

TEST(Wrap, KeepsRunsOfSpacesInsideALine) {
    EXPECT_EQ(wrapped("", "plan x   model y", 80, 4), "plan x   model y\n");
}

TEST(Wrap, LeavesALongWordWhole) {
    EXPECT_EQ(wrapped("", "a bbbbbbbbbbbbbbbbbbbbbbbb c", 10, 0), "a\nbbbbbbbbbbbbbbbbbbbbbbbb\nc\n");
}

TEST(Wrap, ShrinksTheIndentWhereLittleRoomIsLeft) {
    EXPECT_EQ(wrapped("x", " one two three four five", 20, 18), "x one two three four\n    five\n");
}

}  // namespace
}  // namespace assay::reports

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

TEST(Wrap, BreaksALongWordBehindCommas) {
    EXPECT_EQ(wrapped("at ", "accuracy=0.8,icc=0.5,context=131072,wire=sglang of all", 20, 2),
              "at accuracy=0.8,\n"
              "  icc=0.5,\n"
              "  context=131072,\n"
              "  wire=sglang of all\n");
    EXPECT_EQ(wrapped("", "a,b,c,dddddddddddddddddddddddddd,e", 20, 0), "a,b,c,\ndddddddddddddddddddddddddd,\ne\n");
    EXPECT_EQ(wrapped("", "one,two three,four", 20, 0), "one,two three,four\n");
    EXPECT_EQ(wrapped("", "一,二,三,四,五,六,七,八,九", 17, 0), "一,二,三,四,五,\n六,七,八,九\n");
}

TEST(Wrap, ShrinksTheIndentWhereLittleRoomIsLeft) {
    EXPECT_EQ(wrapped("x", " one two three four five", 20, 18), "x one two three four\n    five\n");
}

}  // namespace
}  // namespace assay::reports

#include "harness/pacing/text_budget.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

TEST(TextBudget, StopsBeforeWhatIsInFlightCouldPassIt) {
    const TextBudget budget(1000, 100);
    EXPECT_TRUE(budget.room(9, 0, 0));    // ten of 100 bytes each
    EXPECT_FALSE(budget.room(10, 0, 0));
    EXPECT_FALSE(budget.room(9, 1, 0)) << "that much is held already, and each may go on";
    EXPECT_FALSE(budget.room(9, 0, 1));
    EXPECT_TRUE(budget.room(4, 200, 300));
}

TEST(TextBudget, LearnsFromTheRepliesThatEnded) {
    TextBudget budget(1000, 100);
    for (int i = 0; i < 999; ++i) budget.ended(300);
    EXPECT_EQ(budget.expected(), 299);
    EXPECT_TRUE(budget.room(2, 0, 0));
    EXPECT_FALSE(budget.room(3, 0, 0));
}

TEST(TextBudget, RepliesThatHaveGrownLongerThanThoseThatEndedAreBelieved) {
    TextBudget budget(1000, 10);
    for (int i = 0; i < 99; ++i) budget.ended(10);  // the short ones end first
    EXPECT_TRUE(budget.room(5, 450, 0));
    EXPECT_FALSE(budget.room(5, 500, 0));
}

TEST(TextBudget, OneRequestMayAlwaysGoUnlessTheJournalIsBehind) {
    const TextBudget budget(1000, 5000);
    EXPECT_TRUE(budget.room(0, 0, 999));
    EXPECT_FALSE(budget.room(0, 0, 1000));
    EXPECT_FALSE(budget.room(1, 0, 0));
}

}  // namespace
}  // namespace assay::pacing

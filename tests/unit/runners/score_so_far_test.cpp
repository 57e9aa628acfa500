#include "runners/drivers/score_so_far.hpp"

#include <gtest/gtest.h>

namespace assay::runners {
namespace {

TEST(ScoreSoFar, CountsOnlyTheLeadingAttemptsThatAreAllJudged) {
    Progress progress;
    ScoreSoFar score({{0, 5}, {1, 2}, {0, 3}}, progress);
    score.judged({0, 3}, true);
    EXPECT_EQ(progress.judged_in_order, 0);
    score.judged({0, 5}, false);
    EXPECT_EQ(progress.judged_in_order, 1);
    EXPECT_EQ(progress.correct_in_order, 0);
    score.judged({1, 2}, true);
    EXPECT_EQ(progress.judged_in_order, 3);
    EXPECT_EQ(progress.correct_in_order, 2);
}

TEST(ScoreSoFar, PassesOverAnAttemptThatWasGivenUp) {
    Progress progress;
    ScoreSoFar score({{0, 0}, {0, 1}}, progress);
    score.given_up({0, 0});
    score.judged({0, 1}, true);
    EXPECT_EQ(progress.judged_in_order, 1);
    EXPECT_EQ(progress.correct_in_order, 1);
}

TEST(ScoreSoFar, IgnoresAnAttemptThatIsNotOfThisRunAndASecondVerdict) {
    Progress progress;
    ScoreSoFar score({{0, 0}}, progress);
    score.judged({7, 7}, true);
    score.judged({0, 0}, false);
    score.judged({0, 0}, true);
    EXPECT_EQ(progress.judged_in_order, 1);
    EXPECT_EQ(progress.correct_in_order, 0);
}

}  // namespace
}  // namespace assay::runners

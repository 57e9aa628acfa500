#include "reports/progress/progress_text.hpp"

#include <gtest/gtest.h>

#include "reports/terminal/width.hpp"

namespace assay::reports {
namespace {

ProgressSnapshot busy() {
    ProgressSnapshot s;
    s.attempts = 3168;
    s.done = 412;
    s.in_flight = 256;
    s.waiting_to_retry = 2;
    s.retries = 5;
    s.truncated = 3;
    s.unscored = 1;
    s.judged_in_order = 380;
    s.correct_in_order = 352;
    s.per_second = 11234;
    s.tokens = true;
    s.seconds_left = 3725;
    return s;
}

TEST(ProgressText, SaysEverythingWhereThereIsRoom) {
    EXPECT_EQ(progress_text(busy(), 0),
              "412 of 3,168 (13 %) | accuracy 92.63 % of the first 380 | 256 in flight | 11.2 k tokens/s | 3 truncated "
              "| 5 retries | "
              "2 waiting to retry | 1 unscored | 1 h 02 min left");
}

TEST(ProgressText, LeavesOutTheLeastNeededInANarrowWindow) {
    EXPECT_EQ(progress_text(busy(), 80), "412 of 3,168 (13 %) | accuracy 92.63 % of the first 380 | 1 h 02 min left");
    EXPECT_EQ(progress_text(busy(), 100),
              "412 of 3,168 (13 %) | accuracy 92.63 % of the first 380 | 1 unscored | 1 h 02 min left");
    EXPECT_EQ(progress_text(busy(), 40), "412 of 3,168 (13 %) | 1 h 02 min left");
    EXPECT_EQ(progress_text(busy(), 12), "412 of 3,...");
}

TEST(ProgressText, FitsEveryWidth) {
    for (int width = 1; width < 200; ++width) EXPECT_LE(display_width(progress_text(busy(), width)), width);
}

TEST(ProgressText, ClaimsNothingItDoesNotKnow) {
    ProgressSnapshot s;
    s.attempts = 10;
    s.in_flight = 4;
    EXPECT_EQ(progress_text(s, 0), "0 of 10 (0 %) | 4 in flight | time left not known yet");
}

TEST(ProgressText, SaysEventsWhereTheServerCountsNoTokens) {
    ProgressSnapshot s;
    s.per_second = 950;
    EXPECT_EQ(progress_text(s, 0), "0 of 0 (0 %) | 0 in flight | 950 events/s");
}

TEST(ProgressText, SaysAHundredPercentOnlyWhenAllIsDone) {
    ProgressSnapshot s;
    s.attempts = 3168;
    s.done = 3167;
    EXPECT_EQ(progress_text(s, 25), "3,167 of 3,168 (99 %)");
    s.done = 3168;
    EXPECT_EQ(progress_text(s, 25), "3,168 of 3,168 (100 %)");
}

}  // namespace
}  // namespace assay::reports

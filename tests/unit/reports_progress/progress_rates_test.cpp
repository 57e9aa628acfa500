#include "reports/progress/progress_rates.hpp"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(ProgressRates, KnowNoTimeLeftBeforeTheFirstRepliesAreBack) {
    Progress progress;
    progress.attempts = 1000;
    progress.in_flight = 32;
    ProgressRates rates;
    EXPECT_FALSE(rates.look(0, progress).seconds_left);
    progress.done = 31;
    EXPECT_FALSE(rates.look(100, progress).seconds_left);
    progress.done = 32;
    EXPECT_DOUBLE_EQ(rates.look(100, progress).seconds_left.value(), 968 / 0.32);
}

TEST(ProgressRates, WaitForFiftyRepliesAtMost) {
    Progress progress;
    progress.attempts = 3168;
    progress.in_flight = 512;
    ProgressRates rates;
    (void)rates.look(0, progress);
    progress.done = 50;
    EXPECT_TRUE(rates.look(100, progress).seconds_left);
}

TEST(ProgressRates, LeaveOutWhatWasDoneBeforeThisProcess) {
    Progress progress;
    progress.attempts = 3000;
    progress.done_before = 2000;
    progress.done = 2000;
    ProgressRates rates;
    EXPECT_FALSE(rates.look(0, progress).seconds_left);
    progress.done = 2004;
    EXPECT_FALSE(rates.look(5, progress).seconds_left);
    progress.done = 2010;
    EXPECT_DOUBLE_EQ(rates.look(10, progress).seconds_left.value(), 990);
}

TEST(ProgressRates, FollowTheLatestMinuteNotTheWholeRun) {
    Progress progress;
    progress.attempts = 10'000;
    ProgressRates rates;
    double now = 0;
    std::int64_t done = 0;
    for (; now < 600; now += 1) {  // one a second
        progress.done = done++;
        (void)rates.look(now, progress);
    }
    for (; now < 700; now += 1) {  // then ten a second
        progress.done = done += 10;
        (void)rates.look(now, progress);
    }
    const std::int64_t left = 10'000 - done;
    EXPECT_NEAR(rates.look(now, progress).seconds_left.value(), static_cast<double>(left) / 10,
                static_cast<double>(left) / 300);
}

TEST(ProgressRates, TakeTokensOfTheLastTenSecondsAtTheServersCount) {
    Progress progress;
    ProgressRates rates;
    EXPECT_FALSE(rates.look(0, progress).per_second);
    progress.text_events = 1'000'000;
    (void)rates.look(100, progress);
    progress.text_events = 1'001'000;
    const ProgressSnapshot events = rates.look(110, progress);
    EXPECT_DOUBLE_EQ(events.per_second.value(), 100);
    EXPECT_FALSE(events.tokens);
    progress.known_tokens = 300;
    progress.known_token_events = 100;
    const ProgressSnapshot tokens = rates.look(110, progress);
    EXPECT_DOUBLE_EQ(tokens.per_second.value(), 300);
    EXPECT_TRUE(tokens.tokens);
}

TEST(ProgressRates, GrowTheTimeLeftWhileNothingComesBack) {
    Progress progress;
    progress.attempts = 200;
    ProgressRates rates;
    (void)rates.look(0, progress);
    progress.done = 100;
    const double before = rates.look(100, progress).seconds_left.value();
    (void)rates.look(500, progress);
    EXPECT_GT(rates.look(1000, progress).seconds_left.value(), before * 5);
}

TEST(ProgressRates, HaveNoTimeLeftAtTheEnd) {
    Progress progress;
    progress.attempts = 4;
    progress.done = 4;
    ProgressRates rates;
    EXPECT_EQ(rates.look(1, progress).seconds_left.value(), 0);
}

TEST(ProgressRates, StayRightOverADayOfLooks) {
    Progress progress;
    progress.attempts = 200'000;
    ProgressRates rates;
    ProgressSnapshot last;
    for (int now = 0; now <= 86'400; ++now) {
        progress.done = now;
        progress.text_events = now * 10LL;
        last = rates.look(now, progress);
    }
    EXPECT_DOUBLE_EQ(last.seconds_left.value(), 200'000 - 86'400);
    EXPECT_DOUBLE_EQ(last.per_second.value(), 10);
}

}  // namespace
}  // namespace assay::reports

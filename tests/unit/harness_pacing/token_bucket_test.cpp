#include "harness/pacing/token_bucket.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

TokenBucket::Time at(double s) {
    return TokenBucket::Time{} + std::chrono::microseconds(static_cast<std::int64_t>(s * 1e6));
}

// Sends whenever it may, each at `cost`, from 0 to `until`; gives how many were sent.
int sent_within(TokenBucket& bucket, double cost, double until) {
    int sent = 0;
    for (TokenBucket::Time now = at(0); now <= at(until);) {
        if (bucket.open(now)) {
            bucket.take(now, cost);
            ++sent;
        } else {
            EXPECT_GT(bucket.opens_at(now), now);
            now = bucket.opens_at(now);
        }
    }
    return sent;
}

TEST(TokenBucket, LetsThroughItsRateAndWhatWasSavedUp) {
    TokenBucket bucket(600);  // 10 a second
    EXPECT_NEAR(sent_within(bucket, 1, 60), 600 + 10, 1);
}

TEST(TokenBucket, ASlowRateStillStartsWithOne) {
    TokenBucket bucket(2);
    EXPECT_EQ(sent_within(bucket, 1, 119.9), 4);  // at 0, 30, 60, 90 s
}

TEST(TokenBucket, OneThatCostsMoreThanItHoldsMakesTheNextWait) {
    TokenBucket bucket(60'000);  // 1,000 a second
    bucket.take(at(0), 5'000);
    EXPECT_FALSE(bucket.open(at(3.9)));
    EXPECT_TRUE(bucket.open(at(4.1)));
    TokenBucket again(60'000);
    EXPECT_NEAR(sent_within(again, 5'000, 600), 120, 1);
}

TEST(TokenBucket, IdleTimeIsSavedUpToItsBurstOnly) {
    TokenBucket bucket(600);
    bucket.take(at(0), 10);
    int sent = 0;
    for (; bucket.open(at(1000)); ++sent) bucket.take(at(1000), 1);
    EXPECT_EQ(sent, 10);
}

TEST(TokenBucket, ACostThatTurnedOutSmallerIsGivenBack) {
    TokenBucket bucket(60'000);
    bucket.take(at(0), 65'000);
    EXPECT_FALSE(bucket.open(at(1)));
    bucket.correct(at(1), 64'500);
    EXPECT_TRUE(bucket.open(at(1)));
    bucket.correct(at(1), 1e9);
    bucket.take(at(1), 1'000);
    EXPECT_FALSE(bucket.open(at(1)));  // it never holds more than its burst
}

}  // namespace
}  // namespace assay::pacing

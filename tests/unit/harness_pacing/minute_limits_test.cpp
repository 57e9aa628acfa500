#include "harness/pacing/minute_limits.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

MinuteLimits::Time at(double s) {
    return MinuteLimits::Time{} + std::chrono::microseconds(static_cast<std::int64_t>(s * 1e6));
}

chat::Reply complete(std::optional<std::int64_t> prompt, std::optional<std::int64_t> completion) {
    chat::Reply reply;
    reply.outcome = chat::Outcome::complete;
    reply.http_status = 200;
    reply.times.connected_ms = 1;
    reply.usage.prompt_tokens = prompt;
    reply.usage.completion_tokens = completion;
    return reply;
}

TEST(MinuteLimits, WithoutBoundsNothingIsHeldBack) {
    MinuteLimits limits({}, 65536);
    for (int i = 0; i < 1000; ++i) limits.sent(at(0));
    EXPECT_EQ(limits.held_until(at(0)), std::nullopt);
}

TEST(MinuteLimits, ARequestIsReckonedWithTheBudgetUntilAReplyHasEnded) {
    MinuteLimits limits({std::nullopt, 60'000}, 4'000);  // 1,000 a second
    EXPECT_EQ(limits.sent(at(0)), 4'000);
    ASSERT_TRUE(limits.held_until(at(0)));
    EXPECT_NEAR(std::chrono::duration<double>(*limits.held_until(at(0)) - at(0)).count(), 3, 0.01);  // a second's worth was saved up
    limits.ended(at(1), 4'000, complete(100, 400));  // 3,500 are given back
    EXPECT_EQ(limits.held_until(at(1)), std::nullopt);
    EXPECT_EQ(limits.tokens_expected(), 500);
    limits.sent(at(1));
    limits.ended(at(2), 500, complete(100, 1'400));
    EXPECT_EQ(limits.tokens_expected(), 1'000);
}

TEST(MinuteLimits, AServerThatCountsNothingLeavesTheReckoningAsItIs) {
    MinuteLimits limits({std::nullopt, 60'000}, 4'000);
    limits.ended(at(0), limits.sent(at(0)), complete(std::nullopt, std::nullopt));
    EXPECT_EQ(limits.tokens_expected(), 4'000);
    EXPECT_TRUE(limits.held_until(at(2.9)));
    EXPECT_FALSE(limits.held_until(at(3.1)));
}

TEST(MinuteLimits, WhatWasTurnedAwayCostsARequestAndNoTokens) {
    MinuteLimits limits({60, 60'000}, 4'000);  // one request a second
    chat::Reply reply;
    reply.http_status = 429;
    limits.ended(at(0), limits.sent(at(0)), reply);
    EXPECT_TRUE(limits.held_until(at(0.9)));
    EXPECT_FALSE(limits.held_until(at(1.0)));
}

TEST(MinuteLimits, TheNarrowerBoundDecides) {
    MinuteLimits limits({6000, 60'000}, 500);
    int sent = 0;
    for (double now = 0; now < 60; now += 0.01) {
        if (limits.held_until(at(now))) continue;
        limits.ended(at(now), limits.sent(at(now)), complete(0, 500));
        ++sent;
    }
    EXPECT_NEAR(sent, 120 + 2, 2);
}

}  // namespace
}  // namespace assay::pacing

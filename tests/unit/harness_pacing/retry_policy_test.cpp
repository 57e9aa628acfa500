#include "harness/pacing/retry_policy.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::pacing {
namespace {

using chat::Outcome;
using chat::Reply;
using std::chrono::milliseconds;

Reply of(Outcome outcome, long status = 200) {
    Reply reply;
    reply.outcome = outcome;
    reply.http_status = status;
    reply.times.connected_ms = 1;
    return reply;
}

Reply asking(long status, double seconds) {
    Reply reply = of(Outcome::server_error, status);
    reply.retry_after_s = seconds;
    return reply;
}

History tried(int tries, int turned_away = 0) {
    return {3, 17, tries, turned_away};
}

const RetryPolicy policy{RetryLimits{}};

TEST(RetryPolicy, WhatIsScoredIsFinalWhateverIsInIt) {
    for (const Outcome outcome : {Outcome::complete, Outcome::truncated, Outcome::answer_in_reasoning, Outcome::empty, Outcome::filtered}) {
        EXPECT_EQ(policy.after(of(outcome), tried(1)).verdict, Verdict::done);
    }
}

TEST(RetryPolicy, EveryUnscoredOutcomeButRefusedIsTriedUpToTheLimit) {
    for (const Outcome outcome : {Outcome::aborted, Outcome::dropped, Outcome::server_error, Outcome::malformed, Outcome::timeout}) {
        for (int tries = 1; tries < 5; ++tries) EXPECT_EQ(policy.after(of(outcome), tried(tries)).verdict, Verdict::retry);
        EXPECT_EQ(policy.after(of(outcome), tried(5)).verdict, Verdict::give_up);
    }
    EXPECT_EQ(policy.after(of(Outcome::refused, 400), tried(1)).verdict, Verdict::give_up);
}

TEST(RetryPolicy, BeingTurnedAwayHasALimitOfItsOwn) {
    EXPECT_EQ(policy.after(of(Outcome::server_error, 429), tried(39, 39)).verdict, Verdict::retry);
    EXPECT_EQ(policy.after(of(Outcome::server_error, 503), tried(40, 40)).verdict, Verdict::give_up);
    EXPECT_EQ(policy.after(of(Outcome::server_error, 500), tried(44, 40)).verdict, Verdict::retry);
    EXPECT_EQ(policy.after(of(Outcome::server_error, 500), tried(45, 40)).verdict, Verdict::give_up);
}

TEST(RetryPolicy, KnowsWhatWasTurnedAway) {
    EXPECT_TRUE(was_turned_away(of(Outcome::server_error, 429)));
    EXPECT_TRUE(was_turned_away(of(Outcome::server_error, 503)));
    EXPECT_FALSE(was_turned_away(of(Outcome::server_error, 500)));
    EXPECT_FALSE(was_turned_away(of(Outcome::complete)));
    Reply no_connection = of(Outcome::dropped, 0);
    EXPECT_FALSE(was_turned_away(no_connection));
    no_connection.times.connected_ms.reset();
    EXPECT_TRUE(was_turned_away(no_connection));
}

TEST(RetryPolicy, DelaysDoubleToABoundWithinTheJitter) {
    double bound = 1000;
    for (int tries = 1; tries < 5; ++tries, bound *= 2) {
        const auto delay = policy.after(of(Outcome::dropped), tried(tries)).delay.count();
        EXPECT_GE(delay, bound / 2) << tries;
        EXPECT_LT(delay, bound) << tries;
    }
    Reply nobody_there = of(Outcome::dropped, 0);
    nobody_there.times.connected_ms.reset();
    EXPECT_LE(policy.after(nobody_there, tried(19, 19)).delay, milliseconds(60'000));
    EXPECT_GE(policy.after(nobody_there, tried(19, 19)).delay, milliseconds(30'000));
}

TEST(RetryPolicy, WhatWasTurnedAwayIsReadyWhenTheGateOpens) {
    for (const long status : {429L, 503L}) {
        EXPECT_LT(policy.after(of(Outcome::server_error, status), tried(19, 19)).delay, milliseconds(1000)) << "the gate knows how long, for all";
    }
}

TEST(RetryPolicy, ARetryAfterIsClampedAndTakesThePlaceOfTheDelay) {
    const auto delay = [](const Reply& reply) { return static_cast<double>(policy.after(reply, tried(1)).delay.count()); };
    const auto near = [&](const Reply& reply, double ms) { return delay(reply) >= ms && delay(reply) <= ms + 1000; };
    EXPECT_TRUE(near(asking(429, 7), 7000));
    EXPECT_TRUE(near(asking(503, 1.5), 1500));
    EXPECT_TRUE(near(asking(429, -1e9), 0));
    EXPECT_TRUE(near(asking(429, 343'742'630), 120'000));
    EXPECT_TRUE(near(asking(429, INFINITY), 120'000));
    EXPECT_LT(delay(asking(429, NAN)), 1000);
    EXPECT_LT(delay(asking(500, 50)), 1000);  // not heeded
}

TEST(RetryPolicy, JitterDependsOnItsArgumentsAloneAndSpreads) {
    EXPECT_EQ(jitter(1, 2, 3), jitter(1, 2, 3));
    EXPECT_NE(jitter(1, 2, 3), jitter(2, 1, 3));
    int low = 0;
    for (int question = 0; question < 1000; ++question) {
        const double share = jitter(0, question, 1);
        ASSERT_GE(share, 0.0);
        ASSERT_LT(share, 1.0);
        low += share < 0.5 ? 1 : 0;
    }
    EXPECT_GT(low, 440);
    EXPECT_LT(low, 560);
}

}  // namespace
}  // namespace assay::pacing

#include "harness/pacing/gate.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Gate::Time start{};

Gate::Time at(double s) {
    return start + milliseconds(static_cast<int>(s * 1000));
}

TEST(Gate, IsOpenUntilARequestIsTurnedAway) {
    const Gate gate{GateLimits{}};
    EXPECT_TRUE(gate.open(at(0)));
    EXPECT_EQ(gate.opens_at(at(5)), at(5));
}

TEST(Gate, ShutsForTheTimeTheServerAskedFor) {
    Gate gate{GateLimits{}};
    gate.turned_away(at(10), at(9), seconds(30), 8);
    EXPECT_FALSE(gate.open(at(10)));
    EXPECT_FALSE(gate.open(at(39.9)));
    EXPECT_EQ(gate.opens_at(at(12)), at(40));
    EXPECT_TRUE(gate.open(at(40)));
}

TEST(Gate, ManyTurnedAwayTogetherAreOnePause) {
    Gate gate{GateLimits{}};
    for (int i = 0; i < 300; ++i) gate.turned_away(at(10), at(9), std::nullopt, 300 - i);
    EXPECT_EQ(gate.pauses(), 1);
    EXPECT_EQ(gate.opens_at(at(10)), at(11));
    // Stragglers that were sent before it shut but come back after it opened count no more.
    gate.turned_away(at(11.5), at(9.5), std::nullopt, 1);
    EXPECT_EQ(gate.pauses(), 1);
    EXPECT_TRUE(gate.open(at(11.5)));
}

TEST(Gate, ALongerWaitToldWhileShutIsHeeded) {
    Gate gate{GateLimits{}};
    gate.turned_away(at(10), at(9), std::nullopt, 8);
    gate.turned_away(at(10.1), at(9), seconds(20), 7);
    gate.turned_away(at(10.2), at(9), seconds(5), 6);
    EXPECT_EQ(gate.opens_at(at(10.2)), at(30.1));
}

TEST(Gate, LetsThroughOneThenDoublingNumbersUntilWhatWasInFlight) {
    Gate gate{GateLimits{}};
    gate.turned_away(at(0), at(0), seconds(10), 100);
    int sent = 0;
    const auto drain = [&](double s) {
        while (gate.open(at(s)) && sent < 1000) {
            gate.sent(at(s));
            ++sent;
        }
        return sent;
    };
    EXPECT_EQ(drain(9.99), 0);
    EXPECT_EQ(drain(10), 1);
    EXPECT_EQ(gate.opens_at(at(10)), at(11));
    EXPECT_EQ(drain(10.99), 1);
    EXPECT_EQ(drain(11), 2);
    EXPECT_EQ(drain(12), 4);
    EXPECT_EQ(drain(16), 64);
    EXPECT_EQ(drain(17), 1000);  // past 100: open
}

TEST(Gate, PausesDoubleToABoundUntilAnAnswer) {
    Gate gate{GateLimits{}};
    double now = 0;
    for (const double expected : {1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0}) {
        gate.turned_away(at(now), at(now), std::nullopt, 8);
        EXPECT_EQ(gate.opens_at(at(now)), at(now + expected));
        now += expected;
    }
    gate.answered(at(now - 100));  // sent before it shut: says nothing of now
    gate.turned_away(at(now), at(now), std::nullopt, 8);
    EXPECT_EQ(gate.opens_at(at(now)), at(now + 30));
    now += 30;
    gate.answered(at(now));
    gate.turned_away(at(now + 1), at(now + 1), std::nullopt, 8);
    EXPECT_EQ(gate.opens_at(at(now + 1)), at(now + 2));
}

TEST(Gate, AReplyThatBeginsShortensAPauseOfItsOwnChoice) {
    Gate gate{GateLimits{}};
    double now = 0;
    for (const double pause : {1.0, 2.0, 4.0}) {
        gate.turned_away(at(now), at(now), std::nullopt, 8);
        now += pause;
    }
    gate.turned_away(at(now), at(now), std::nullopt, 8);  // at 7: of those sent now some are refused
    EXPECT_EQ(gate.opens_at(at(now)), at(15));
    gate.answered(at(2.9));  // sent before that: says nothing
    EXPECT_EQ(gate.opens_at(at(now)), at(15));
    gate.answered(at(7));    // and one is not
    EXPECT_EQ(gate.opens_at(at(now)), at(8));

    gate.turned_away(at(8), at(8), seconds(20), 8);
    gate.answered(at(8));
    EXPECT_EQ(gate.opens_at(at(8)), at(28)) << "the server said so";
}

TEST(Gate, AStormOfSoManyRequestsIsOverInSeconds) {
    Gate gate{GateLimits{}};
    int left = 30;
    int sent = 0;
    double now = 0;
    for (int i = 0; i < 16; ++i, --left) gate.turned_away(at(0.01), at(0), std::nullopt, 16 - i);
    for (; left > 0 && now < 300; now += 0.1) {
        const int before = sent;
        for (; gate.open(at(now)) && left - (sent - before) > 0; ++sent) gate.sent(at(now));
        for (int i = before; i < sent; ++i, --left) gate.turned_away(at(now + 0.01), at(now), std::nullopt, 0);
    }
    EXPECT_LE(now, 16);
    EXPECT_EQ(gate.pauses(), 5);  // of 1, 2, 4 and 8 s, with 1, 2, 4 and the rest behind them, and the last
}

}  // namespace
}  // namespace assay::pacing

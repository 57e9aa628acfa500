#include "harness/pacing/endpoints.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

using std::chrono::milliseconds;

Endpoints::Time at(double s) {
    return Endpoints::Time{} + milliseconds(static_cast<int>(s * 1000));
}

bool all(Endpoints::Index) {
    return true;
}

void fail(Endpoints& endpoints, Endpoints::Index index, int times, double s) {
    for (int i = 0; i < times; ++i) {
        endpoints.sent(index);
        endpoints.ended(index, true, at(s));
    }
}

TEST(Endpoints, TheLeastLoadedIsChosenAndEqualsInTurn) {
    Endpoints endpoints(3, {});
    std::string order;
    for (int i = 0; i < 6; ++i) {
        const auto chosen = endpoints.choose(at(0), all);
        order += std::to_string(*chosen);
        endpoints.sent(*chosen);
    }
    EXPECT_EQ(order, "012012");
    endpoints.ended(1, false, at(1));
    EXPECT_EQ(endpoints.choose(at(1), all), 1U);
}

TEST(Endpoints, OneThatIsNotOpenIsPassedOver) {
    const Endpoints endpoints(2, {});
    EXPECT_EQ(endpoints.choose(at(0), [](auto i) { return i == 1; }), 1U);
    EXPECT_EQ(endpoints.choose(at(0), [](auto) { return false; }), std::nullopt);
}

TEST(Endpoints, FailuresInARowTakeOneOutAndAnswersBetweenThemDoNot) {
    Endpoints endpoints(2, {});
    fail(endpoints, 0, 2, 1);
    endpoints.sent(0);
    endpoints.ended(0, false, at(1));
    fail(endpoints, 0, 2, 1);
    EXPECT_EQ(endpoints.times_out(0), 0);
    fail(endpoints, 0, 1, 1);
    EXPECT_EQ(endpoints.times_out(0), 1);
    EXPECT_EQ(endpoints.choose(at(2), all), 1U);
    EXPECT_EQ(endpoints.back_at(0, at(2)), at(11));
    EXPECT_EQ(endpoints.back_at(1, at(2)), at(2));
}

TEST(Endpoints, ATrialTakesOneRequestAndAnAnswerEndsIt) {
    Endpoints endpoints(2, {});
    fail(endpoints, 0, 3, 0);
    endpoints.sent(1);
    EXPECT_EQ(endpoints.choose(at(9.9), all), 1U);
    EXPECT_EQ(endpoints.choose(at(10), all), 0U);
    endpoints.sent(0);
    endpoints.sent(1);
    EXPECT_EQ(endpoints.choose(at(10), all), 1U);  // busy with its trial
    endpoints.ended(0, false, at(12));
    EXPECT_EQ(endpoints.choose(at(12), all), 0U);
    endpoints.sent(0);
    EXPECT_EQ(endpoints.choose(at(12), all), 0U);  // as many as the others again
}

TEST(Endpoints, EachTrialThatFailsDoublesTheWaitToABound) {
    Endpoints endpoints(2, {});
    fail(endpoints, 0, 3, 0);
    double now = 0;
    for (const double wait : {10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0}) {
        EXPECT_EQ(endpoints.back_at(0, at(now)), at(now + wait));
        now += wait;
        fail(endpoints, 0, 1, now);
    }
}

TEST(Endpoints, ThoseInFlightWhenItWasTakenOutCountOnce) {
    Endpoints endpoints(2, {});
    for (int i = 0; i < 500; ++i) endpoints.sent(0);
    for (int i = 0; i < 500; ++i) endpoints.ended(0, true, at(1));
    EXPECT_EQ(endpoints.times_out(0), 1);
    EXPECT_EQ(endpoints.back_at(0, at(1)), at(11));
    EXPECT_EQ(endpoints.in_flight(0), 0);
}

TEST(Endpoints, ALateAnswerBringsOneBack) {
    Endpoints endpoints(2, {});
    endpoints.sent(0);  // a long one
    fail(endpoints, 0, 3, 1);
    endpoints.ended(0, false, at(2));
    EXPECT_EQ(endpoints.back_at(0, at(2)), at(2));
}

TEST(Endpoints, ALoneOneIsNeverTakenOut) {
    Endpoints endpoints(1, {});
    fail(endpoints, 0, 50, 1);
    EXPECT_EQ(endpoints.choose(at(1), all), 0U);
}

TEST(Endpoints, AllOutMeansNoneUntilTheFirstComesBack) {
    Endpoints endpoints(2, {});
    fail(endpoints, 0, 3, 0);
    fail(endpoints, 1, 3, 5);
    EXPECT_EQ(endpoints.choose(at(6), all), std::nullopt);
    EXPECT_EQ(endpoints.choose(at(10), all), 0U);
}

}  // namespace
}  // namespace assay::pacing

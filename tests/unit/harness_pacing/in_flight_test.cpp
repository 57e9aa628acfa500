#include "harness/pacing/in_flight.hpp"

#include <gtest/gtest.h>

namespace assay::pacing {
namespace {

InFlight::Time at(int s) {
    return InFlight::Time{} + std::chrono::seconds(s);
}

TEST(InFlight, SumsOverTheTimeWithWorkToSend) {
    InFlight meter;
    meter.set(at(0), 10, 10);
    meter.set(at(4), 5, 10);
    meter.set(at(6), 10, 10);
    meter.set(at(10), 9, std::nullopt);  // the tail
    meter.set(at(90), 0, std::nullopt);
    const auto seen = meter.seen(at(100));
    EXPECT_EQ(seen.seconds, 10);
    EXPECT_EQ(seen.mean(), 9);
    EXPECT_EQ(seen.share_at_target(), 0.8);
    EXPECT_EQ(seen.most, 10);
}

TEST(InFlight, NearlyTheTargetIsTheTarget) {
    InFlight meter;
    meter.set(at(0), 95, 100);  // one that ended is being replaced
    meter.set(at(2), 94, 100);
    EXPECT_EQ(meter.seen(at(4)).seconds_at_target, 2);
}

TEST(InFlight, SaysWhatHeldMoreOfThemBack) {
    InFlight meter;
    meter.set(at(0), 3, 10);
    meter.set(at(1), 4, 10, Hold::server);
    meter.set(at(3), 4, 10, Hold::rates);
    meter.set(at(6), 10, 10, Hold::text);  // the target is reached all the same
    const auto seen = meter.seen(at(9));
    EXPECT_EQ(seen.held_by(Hold::nothing), 1);
    EXPECT_EQ(seen.held_by(Hold::server), 2);
    EXPECT_EQ(seen.held_by(Hold::rates), 3);
    EXPECT_EQ(seen.held_by(Hold::text), 0);
}

TEST(InFlight, CountsTheTimeThatIsNotOverYetOnce) {
    InFlight meter;
    meter.set(at(0), 4, 4);
    EXPECT_EQ(meter.seen(at(3)).request_seconds, 12);
    EXPECT_EQ(meter.seen(at(5)).request_seconds, 20);
}

TEST(InFlight, BeforeTheFirstRequestThereIsNothing) {
    const InFlight meter;
    EXPECT_EQ(meter.seen(at(5)).seconds, 0);
    EXPECT_EQ(meter.seen(at(5)).mean(), 0);
    EXPECT_EQ(meter.seen(at(5)).share_at_target(), 0);
}

}  // namespace
}  // namespace assay::pacing

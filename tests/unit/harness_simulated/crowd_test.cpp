#include "harness/simulated/crowd.hpp"

#include <gtest/gtest.h>

namespace assay::simulated {
namespace {

using namespace std::chrono_literals;

TEST(Crowd, IsAtFullSpeedUpToItsNumberAndSharesThatAboveIt) {
    const Crowd::Time start{};
    Crowd crowd;
    crowd.advance(start, 10, 10);
    crowd.advance(start + 2s, 40, 10);  // alone until now: two seconds of work each
    EXPECT_EQ(crowd.done(), 2s);
    EXPECT_EQ(crowd.when(3s), start + 6s) << "a quarter of the speed from now on";
    crowd.advance(start + 4s, 20, 10);
    EXPECT_EQ(crowd.done(), 2500ms);
    EXPECT_EQ(crowd.when(3s), start + 5s) << "those that are left are faster at once";
}

}  // namespace
}  // namespace assay::simulated

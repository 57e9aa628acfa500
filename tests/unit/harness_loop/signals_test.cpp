#include "harness/loop/signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace assay::loop {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(BlockedSignals, ASignalOfTheProcessEndsTheWaitAndIsNamed) {
    BlockedSignals signals;
    ::kill(::getpid(), SIGTERM);
    EXPECT_EQ(signals.wait_for(hours(1)), SIGTERM);
    ::kill(::getpid(), SIGINT);
    EXPECT_EQ(signals.wait_for(hours(1)), SIGINT);
    EXPECT_EQ(signals.wait_for(milliseconds(0)), std::nullopt);
}

TEST(BlockedSignals, BothAreToldWhereBothCame) {
    BlockedSignals signals;
    ::kill(::getpid(), SIGTERM);
    ::kill(::getpid(), SIGINT);
    const auto first = signals.wait_for(hours(1));
    const auto second = signals.wait_for(hours(1));
    EXPECT_TRUE(first && second && *first != *second);
}

TEST(BlockedSignals, AWaitIsWokenFromAnotherThread) {
    BlockedSignals signals;
    std::jthread other([&] { signals.wake(); });
    EXPECT_EQ(signals.wait_for(hours(1)), std::nullopt);
}

TEST(BlockedSignals, AWakeBeforeTheWaitEndsOneWaitOnly) {
    BlockedSignals signals;
    signals.wake();
    signals.wake();
    EXPECT_EQ(signals.wait_for(hours(1)), std::nullopt);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(signals.wait_for(milliseconds(20)), std::nullopt);
    EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(20));
}

TEST(BlockedSignals, ASignalIsNotLostBehindAWake) {
    BlockedSignals signals;
    signals.wake();
    ::kill(::getpid(), SIGINT);
    EXPECT_EQ(signals.wait_for(hours(1)), SIGINT);
    EXPECT_EQ(signals.wait_for(hours(1)), std::nullopt);
}

}  // namespace
}  // namespace assay::loop

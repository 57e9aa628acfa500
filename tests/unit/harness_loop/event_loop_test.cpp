#include "harness/loop/event_loop.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "harness/loop/file_descriptor.hpp"

namespace assay::loop {
namespace {

using std::chrono::milliseconds;

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        read = FileDescriptor(ends[0]);
        write = FileDescriptor(ends[1]);
    }
    void put() const { EXPECT_EQ(::write(write.get(), "x", 1), 1); }
    void take() const {
        char byte = 0;
        EXPECT_EQ(::read(read.get(), &byte, 1), 1);
    }
    FileDescriptor read;
    FileDescriptor write;
};

TEST(EventLoop, RunsTimersInOrderOfDueTimeThenOfCall) {
    EventLoop loop;
    std::vector<int> order;
    const auto now = Clock::now();
    loop.at(now + milliseconds(20), [&] { order.push_back(3); loop.stop(); });
    loop.at(now + milliseconds(5), [&] { order.push_back(1); });
    loop.at(now + milliseconds(5), [&] { order.push_back(2); });
    loop.run();
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(loop.delay().timers, 3U);
}

TEST(EventLoop, ATimerCancelsAnotherThatIsDueWithIt) {
    EventLoop loop;
    bool ran = false;
    const auto due = Clock::now();
    TimerId second = 0;
    loop.at(due, [&] { loop.cancel(second); });
    second = loop.at(due, [&] { ran = true; });
    loop.after(milliseconds(5), [&] { loop.stop(); });
    loop.run();
    EXPECT_FALSE(ran);
}

TEST(EventLoop, ATimerThatAlwaysSetsItselfInThePastDoesNotStarveSockets) {
    EventLoop loop;
    const Pipe pipe;
    pipe.put();
    int rounds = 0;
    std::function<void()> again = [&] {
        ++rounds;
        loop.at(Clock::now() - milliseconds(1), again);
    };
    again();
    loop.watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) { loop.stop(); });
    loop.run();
    EXPECT_LT(rounds, 100);
}

TEST(EventLoop, DropsAnEventOfADescriptorUnwatchedInTheSameRound) {
    EventLoop loop;
    const Pipe a;
    const Pipe b;
    a.put();
    b.put();
    int calls = 0;
    loop.watch(a.read.get(), EPOLLIN, [&](std::uint32_t) { ++calls; loop.unwatch(a.read.get()); loop.unwatch(b.read.get()); });
    loop.watch(b.read.get(), EPOLLIN, [&](std::uint32_t) { ++calls; loop.unwatch(a.read.get()); loop.unwatch(b.read.get()); });
    loop.after(milliseconds(20), [&] { loop.stop(); });
    loop.run();
    EXPECT_EQ(calls, 1);
}

TEST(EventLoop, ACallbackMayReplaceItself) {
    EventLoop loop;
    const Pipe pipe;
    pipe.put();
    pipe.put();
    std::vector<int> order;
    loop.watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) {
        pipe.take();
        order.push_back(1);
        loop.watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) {
            pipe.take();
            order.push_back(2);
            loop.stop();
        });
    });
    loop.run();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(EventLoop, GathersWhatComesSoonAfterARoundIntoTheNextOne) {
    EventLoop loop;
    loop.gather(milliseconds(1000));
    const Pipe first;
    const Pipe second;
    const Pipe third;
    std::vector<int> order;
    std::thread writer;
    first.put();
    loop.watch(first.read.get(), EPOLLIN, [&](std::uint32_t) {
        first.take();
        writer = std::thread([&] {
            second.put();
            std::this_thread::sleep_for(milliseconds(50));  // apart for a loop that does not gather
            third.put();
        });
    });
    loop.watch(second.read.get(), EPOLLIN, [&](std::uint32_t) {
        second.take();
        loop.post([&] { order.push_back(0); });  // runs before the next round
    });
    loop.watch(third.read.get(), EPOLLIN, [&](std::uint32_t) {
        third.take();
        order.push_back(3);
        loop.stop();
    });
    loop.run();
    writer.join();
    EXPECT_EQ(order, (std::vector<int>{3, 0}));
}

TEST(EventLoop, DoesNotMakeTimersWaitWhileItGathers) {
    EventLoop loop;
    loop.gather(std::chrono::minutes(5));
    const Pipe pipe;
    pipe.put();
    loop.watch(pipe.read.get(), EPOLLIN, [&](std::uint32_t) {
        pipe.take();
        loop.after(milliseconds(10), [&] { loop.stop(); });
    });
    loop.run();  // ends long before the test's limit
}

TEST(EventLoop, TasksPostedFromAnotherThreadRunInOrderAndBeforeStop) {
    EventLoop loop;
    std::vector<int> order;
    std::thread other([&] {
        for (int i = 0; i < 1000; ++i) loop.post([&order, i] { order.push_back(i); });
        loop.stop();
    });
    loop.run();
    other.join();
    ASSERT_EQ(order.size(), 1000U);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(EventLoop, RunsAgainAfterAStop) {
    EventLoop loop;
    int runs = 0;
    for (int i = 0; i < 2; ++i) {
        loop.post([&] { ++runs; });
        loop.stop();
        loop.run();
    }
    EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace assay::loop

// EventLoop: one thread's epoll, timers and posted tasks. The client and the simulated endpoint stand on it.
//
// Threads: run() belongs to one thread; watch, unwatch, at, after and cancel may be called only from it (or
// before run() starts); post() and stop() from any thread.
// Errors: what callbacks throw leaves run(); system calls that cannot fail but by a programmer's error throw
// assay::Error with errno's text.
// Timers are absolute: a stream that reschedules itself from its own due time does not drift.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace assay::loop {

using Clock = std::chrono::steady_clock;
using TimerId = std::uint64_t;  // never 0, never used twice

class EventLoop {
public:
    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // Calls on_ready(events) whenever one of `events` (EPOLLIN, EPOLLOUT, ..., level-triggered) holds of fd.
    // Watching a watched fd changes its events and its callback. A callback may watch and unwatch anything,
    // itself included; an event already fetched for a descriptor that was unwatched is not delivered.
    void watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> on_ready);
    void unwatch(int fd);

    // Calls task once, at `due` or as soon after it as the loop comes round; equal due times in order of call.
    TimerId at(Clock::time_point due, std::function<void()> task);
    TimerId after(Clock::duration delay, std::function<void()> task) { return at(Clock::now() + delay, std::move(task)); }
    void cancel(TimerId timer);  // no effect on a timer that ran or was cancelled

    // Rests after a round of events until `length` has passed since it began, so that events which come meanwhile share the next
    // round: thousands of slow streams then cost a wake-up for several events instead of one each. Timers are not made to wait, and
    // neither is a round that was full.
    // 0, as at first: no rest. From the loop's thread, or before run() starts.
    void gather(Clock::duration length);

    // Runs task on the loop's thread, in order of posting.
    void post(std::function<void()> task);

    void run();   // until stop(); tasks posted before stop() are run first
    void stop();

    // How late timers ran against their due time, since the start: the loop's own delay.
    struct Delay {
        std::uint64_t timers = 0;
        double p50_ms = 0;
        double p99_ms = 0;
        double max_ms = 0;
    };
    [[nodiscard]] Delay delay() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::loop

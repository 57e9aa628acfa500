#include "harness/loop/event_loop.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "harness/error.hpp"
#include "harness/loop/delay_histogram.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::loop {
namespace {

// epoll carries (generation, fd), so that an event fetched for a descriptor that has since been closed and
// opened again as another is recognised as stale.
struct Watch {
    std::uint32_t generation = 0;  // 0: not watched
    std::shared_ptr<std::function<void(std::uint32_t)>> on_ready;  // shared: a callback may replace itself while it runs
};

struct Due {
    Clock::time_point when;
    TimerId id;
    bool operator>(const Due& other) const noexcept { return when != other.when ? when > other.when : id > other.id; }
};

[[noreturn]] void fail(const char* call) {
    throw Error(std::string("the event loop's ") + call + " failed: " + std::strerror(errno));
}

}  // namespace

struct EventLoop::Parts {
    FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
    FileDescriptor wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    std::vector<Watch> watches;  // by descriptor
    std::uint32_t next_generation = 1;

    std::priority_queue<Due, std::vector<Due>, std::greater<>> queue;  // cancelled timers stay until they surface
    std::unordered_map<TimerId, std::function<void()>> timers;
    TimerId next_timer = 1;
    DelayHistogram delays;
    Clock::duration gathering{};
    Clock::time_point round_began{};  // kept up where events are gathered

    std::mutex mutex;  // guards posted and stopping
    std::vector<std::function<void()>> posted;
    bool stopping = false;

    void run_due_timers();
    bool run_posted();  // true where the loop is to stop
    void rest() const;
    [[nodiscard]] int wait_ms() const;
    void deliver(const epoll_event& event);
};

EventLoop::EventLoop() : parts_(std::make_unique<Parts>()) {
    if (!parts_->epoll.open()) fail("epoll_create1");
    if (!parts_->wake.open()) fail("eventfd");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = static_cast<std::uint32_t>(parts_->wake.get());  // generation 0: the wake-up itself
    if (::epoll_ctl(parts_->epoll.get(), EPOLL_CTL_ADD, parts_->wake.get(), &event) != 0) fail("epoll_ctl");
}

EventLoop::~EventLoop() = default;

void EventLoop::watch(int fd, std::uint32_t events, std::function<void(std::uint32_t)> on_ready) {
    const auto place = static_cast<std::size_t>(fd);
    if (parts_->watches.size() <= place) parts_->watches.resize(place + 1);
    Watch& watch = parts_->watches[place];
    const bool known = watch.generation != 0;
    if (!known) watch.generation = parts_->next_generation++;
    watch.on_ready = std::make_shared<std::function<void(std::uint32_t)>>(std::move(on_ready));
    epoll_event event{};
    event.events = events;
    event.data.u64 = (std::uint64_t{watch.generation} << 32) | static_cast<std::uint32_t>(fd);
    if (::epoll_ctl(parts_->epoll.get(), known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) != 0) {
        // A descriptor that was closed while watched has left epoll by itself, and its number may be new.
        if (!known || errno != ENOENT || ::epoll_ctl(parts_->epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl");
    }
}

void EventLoop::unwatch(int fd) {
    const auto place = static_cast<std::size_t>(fd);
    if (place >= parts_->watches.size() || parts_->watches[place].generation == 0) return;
    parts_->watches[place] = {};
    ::epoll_ctl(parts_->epoll.get(), EPOLL_CTL_DEL, fd, nullptr);  // fails where fd is already closed: as wanted
}

TimerId EventLoop::at(Clock::time_point due, std::function<void()> task) {
    const TimerId id = parts_->next_timer++;
    parts_->timers.emplace(id, std::move(task));
    parts_->queue.push({due, id});
    return id;
}

void EventLoop::cancel(TimerId timer) {
    parts_->timers.erase(timer);
}

void EventLoop::gather(Clock::duration length) {
    parts_->gathering = length;
}

void EventLoop::post(std::function<void()> task) {
    {
        const std::lock_guard lock(parts_->mutex);
        parts_->posted.push_back(std::move(task));
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(parts_->wake.get(), &one, sizeof one);
}

void EventLoop::stop() {
    {
        const std::lock_guard lock(parts_->mutex);
        parts_->stopping = true;
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(parts_->wake.get(), &one, sizeof one);
}

void EventLoop::Parts::run_due_timers() {
    // Only timers that were set before this round: a task that sets itself again in the past must not starve
    // the sockets. Tasks are taken one at a time, so that one may cancel another that is due with it.
    const auto now = Clock::now();
    const TimerId set_this_round = next_timer;
    std::vector<Due> later;
    while (!queue.empty() && queue.top().when <= now) {
        const Due next = queue.top();
        queue.pop();
        if (next.id >= set_this_round) {
            later.push_back(next);
            continue;
        }
        const auto found = timers.find(next.id);
        if (found == timers.end()) continue;
        const auto task = std::move(found->second);
        timers.erase(found);
        delays.add(now - next.when);
        task();
    }
    for (const Due& due : later) queue.push(due);
}

bool EventLoop::Parts::run_posted() {
    std::vector<std::function<void()>> tasks;
    bool stop_after = false;
    {
        const std::lock_guard lock(mutex);
        tasks.swap(posted);
        stop_after = stopping;
    }
    for (auto& task : tasks) task();
    return stop_after;
}

void EventLoop::Parts::rest() const {
    auto until = round_began + gathering;
    if (!queue.empty()) until = std::min(until, queue.top().when);
    if (until > Clock::now()) std::this_thread::sleep_until(until);
}

int EventLoop::Parts::wait_ms() const {
    if (queue.empty()) return -1;
    const auto wait = queue.top().when - Clock::now();
    if (wait <= Clock::duration::zero()) return 0;
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
    return static_cast<int>(std::min<std::int64_t>(ms, 60'000));
}

void EventLoop::Parts::deliver(const epoll_event& event) {
    const auto fd = static_cast<int>(event.data.u64 & 0xffffffffU);
    const auto generation = static_cast<std::uint32_t>(event.data.u64 >> 32);
    if (generation == 0) {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto got = ::read(wake.get(), &count, sizeof count);
        return;
    }
    const Watch& watch = watches[static_cast<std::size_t>(fd)];
    if (watch.generation != generation) return;
    const auto on_ready = watch.on_ready;
    (*on_ready)(event.events);
}

void EventLoop::run() {
    std::array<epoll_event, 256> events{};
    for (;;) {
        if (parts_->run_posted()) break;
        const bool gathers = parts_->gathering > Clock::duration::zero();
        if (gathers) parts_->rest();
        const int ready = ::epoll_wait(parts_->epoll.get(), events.data(), static_cast<int>(events.size()), parts_->wait_ms());
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        // Where more is ready than one round takes, there is nothing to wait for.
        if (gathers) parts_->round_began = ready == static_cast<int>(events.size()) ? Clock::time_point{} : Clock::now();
        for (int i = 0; i < ready; ++i) parts_->deliver(events[static_cast<std::size_t>(i)]);
        parts_->run_due_timers();
    }
    const std::lock_guard lock(parts_->mutex);
    parts_->stopping = false;
}

EventLoop::Delay EventLoop::delay() const {
    const DelayHistogram& delays = parts_->delays;
    return {delays.count(), delays.quantile_ms(0.5), delays.quantile_ms(0.99), delays.max_ms()};
}

}  // namespace assay::loop

// InProcessEndpoint: a simulated server on a thread of its own, over real HTTP.
//
// Threads: listens when constructed; every member but stop() may be called from any thread. The destructor
// ends the thread and closes what is in flight.
// Errors: assay::Error from the constructor, where the server cannot listen or the settings are wrong.
#pragma once

#include <pthread.h>

#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include "harness/loop/event_loop.hpp"
#include "harness/simulated/server.hpp"

namespace assay::simulated {

class InProcessEndpoint {
public:
    InProcessEndpoint(const ListenAddress& address, ServiceSettings settings, std::unique_ptr<const Responder> responder)
        : responder_(std::move(responder)), server_(loop_, address, std::move(settings), *responder_), thread_([this] { loop_.run(); }) {}
    ~InProcessEndpoint() { stop(); }
    InProcessEndpoint(const InProcessEndpoint&) = delete;
    InProcessEndpoint& operator=(const InProcessEndpoint&) = delete;

    // Ends the thread; what is in flight is answered no more, and the counters are final. Threads: the owner's.
    void stop() {
        if (!thread_.joinable()) return;
        loop_.stop();
        thread_.join();
    }

    // CPU time of its thread so far; 0 once it was stopped. Not while stop() runs.
    [[nodiscard]] double cpu_seconds() const {
        clockid_t clock{};
        timespec time{};
        auto& thread = const_cast<std::thread&>(thread_);  // native_handle() is not const
        if (!thread.joinable() || ::pthread_getcpuclockid(thread.native_handle(), &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    [[nodiscard]] std::string base_url() const { return server_.base_url(); }
    [[nodiscard]] std::uint16_t port() const noexcept { return server_.port(); }
    [[nodiscard]] const Counters& counters() const noexcept { return server_.counters(); }

private:
    loop::EventLoop loop_;
    std::unique_ptr<const Responder> responder_;
    Server server_;
    std::thread thread_;
};

}  // namespace assay::simulated

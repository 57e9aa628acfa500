// InProcessEndpoint: a simulated server on a thread of its own, over real HTTP.
//
// Threads: listens when constructed; every member may be called from any thread. The destructor ends the
// thread and closes what is in flight.
// Errors: assay::Error from the constructor, where the server cannot listen or the settings are wrong.
#pragma once

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
    ~InProcessEndpoint() {
        loop_.stop();
        thread_.join();
    }
    InProcessEndpoint(const InProcessEndpoint&) = delete;
    InProcessEndpoint& operator=(const InProcessEndpoint&) = delete;

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

// Resolver: the addresses of one host name, looked up off the loop's thread.
//
// libcurl's own resolver would start a thread for every transfer that finds the name uncached; here there is
// at most one lookup at a time. What was found stays in use while a later lookup runs or fails.
// Threads: members belong to the loop's thread; the lookup runs on a thread of its own, which outlives the
// object where it has to (getaddrinfo cannot be interrupted) and then touches nothing of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/loop/event_loop.hpp"

namespace assay::http {

class Resolver {
public:
    Resolver(loop::EventLoop& loop, std::string host);
    ~Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    // Looks the name up unless a lookup is running, then calls `done` on the loop, whether found or not.
    void look_up(std::function<void()> done);

    [[nodiscard]] const std::vector<std::string>& addresses() const noexcept { return addresses_; }  // literals; empty: none found yet
    [[nodiscard]] bool running() const noexcept { return running_; }

private:
    struct Link;

    loop::EventLoop& loop_;
    std::string host_;
    std::vector<std::string> addresses_;
    bool running_ = false;
    std::shared_ptr<Link> link_;
};

}  // namespace assay::http

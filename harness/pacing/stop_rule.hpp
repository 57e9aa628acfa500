// StopRule: tells from the replies that a run cannot succeed as it is set up, so that it ends within seconds.
//
// Pure but for what it remembers of earlier replies; instants are handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/chat/reply.hpp"

namespace assay::pacing {

class StopRule {
public:
    using Time = std::chrono::steady_clock::time_point;

    // Call for every try, with when it ended. Returns the one line to end the run with (the server's own words and
    // the flag to change; text from outside in it) or nothing. It stops
    // - at once: status 401; used-up quota or credit (402, 403 or 429 that says so); a TLS certificate not trusted;
    // - while no reply has been scored, also at once: 403, 404, 405 and redirects;
    // - while none has, after `shared` refusals of one status: any other 4xx, which the first requests then share;
    // - while none has, after `patience` of nothing but failed connections;
    // - later: after `shared` of 403, 404 or 405 in a row (the server came back as another).
    [[nodiscard]] std::optional<std::string> add(const chat::Reply& reply, Time now);

    static constexpr int shared = 3;
    static constexpr std::chrono::seconds patience{8};

private:
    [[nodiscard]] std::optional<std::string> unreachable(const chat::Reply& reply, Time now);

    bool scored_ = false;
    long last_refusal_ = 0;  // its status
    int in_a_row_ = 0;       // refusals of that status without a scored reply between them
    std::optional<Time> unreachable_since_;
};

}  // namespace assay::pacing

// ClientWork: how busy a process kept the endpoint, and whether it was the limit itself.
#pragma once

#include <cstdint>
#include <string>

namespace assay::runs {

struct ClientWork {
    std::string session;   // of the process
    double seconds = 0;    // with work to send: the tail, when the last replies are awaited, is not in it
    // Requests that had gone out on a connection and whose reply had not ended, and how many were wanted (at the end,
    // where the number was found by itself).
    double mean_in_flight = 0;
    std::int64_t max_in_flight = 0;
    std::int64_t target = 0;
    double share_at_target = 0;  // of seconds: with 95 % of the target or more in flight; [0, 1]
    bool automatic = false;
    // Of seconds, those in which fewer than wanted could be sent, by what held the next one back.
    double held_by_server_s = 0;  // it had asked for patience, or was away
    double held_by_rates_s = 0;   // --requests-per-minute, --tokens-per-minute
    double held_by_text_s = 0;    // the budget for text of replies
    // How late the timers of its loop ran.
    double delay_p50_ms = 0;
    double delay_p99_ms = 0;
    double delay_max_ms = 0;
    // CPU time over the time that it ran, 1 is a whole core: of the loop's thread, and of the whole process, a simulated
    // endpoint within it aside.
    double loop_cpu_share = 0;
    double cpu_share = 0;

    // The figures above say more of the client than of the server: its loop ran late, or had nearly no time left.
    [[nodiscard]] bool client_was_the_limit() const noexcept { return delay_p99_ms > 100 || loop_cpu_share > 0.8; }
};

}  // namespace assay::runs

// One line that says how a run is going.
//
//   412 of 3,168 (13 %) | accuracy 92.71 % of the first 380 | 256 in flight | 11.2 k tokens/s | 3 truncated |
//   5 retries | 1 h 02 min left
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay::reports {

struct ProgressSnapshot {
    std::int64_t attempts = 0;
    std::int64_t done = 0;
    std::int64_t in_flight = 0;
    std::int64_t waiting_to_retry = 0;
    std::int64_t retries = 0;
    std::int64_t truncated = 0;
    std::int64_t unscored = 0;
    std::int64_t judged_in_order =
        0;  // leading attempts in dispatch order that are all judged: no bias to short replies
    std::int64_t correct_in_order = 0;
    std::optional<double> per_second;    // tokens, or events where `tokens` is false; unknown at the start
    bool tokens = false;                 // the server's counts say how many tokens an event is
    std::optional<double> seconds_left;  // unknown at the start
};

// At most `width` columns (0: no limit). Where not all fits, the least needed parts are left out, then the end is cut:
// waiting, retries, truncated, tokens/s, in flight, unscored, accuracy, time left. ASCII.
[[nodiscard]] std::string progress_text(const ProgressSnapshot& snapshot, int width);

}  // namespace assay::reports

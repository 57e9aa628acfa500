// Replies that broke off: whether they did so at one age, as behind a proxy with a time limit.
//
// Proxies close connections that were silent for a fixed time (nginx's proxy_read_timeout and AWS load balancers 60 s,
// Envoy 300 s, Azure's 240 s), or requests of a fixed age. What a server's crash or a network breaks off has no age of its own.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::breaks {

struct Cluster {
    double seconds = 0;       // the middle one of those in it
    std::int64_t within = 0;  // how many lie in it
    std::int64_t of = 0;      // of how many
};

inline constexpr double half_width_s = 2;
inline constexpr double shortest_s = 10;  // below it, retries and restarts cluster too
inline constexpr std::int64_t fewest = 3;

// The densest window of 4 s among times in seconds, in any order: nothing unless it holds `fewest` and at least half of
// all, and lies above shortest_s. Of equally dense ones the earliest.
[[nodiscard]] std::optional<Cluster> cluster_of(std::vector<double> seconds);

}  // namespace assay::breaks

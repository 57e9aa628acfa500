// RunInfo: what is known about a run beside its plan. Recorded, never hashed: a run may be continued with
// other values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/runs/audited_checkpoint.hpp"

namespace assay::runs {

struct RunInfo {
    std::string tool_version;
    std::vector<std::string> endpoints;  // base URLs, without user, password or key
    // What the server said of itself: name ("version", "model_path", ...) and value as text, in the order to show.
    std::vector<std::pair<std::string, std::string>> server;

    // How requests travelled, where it was not the usual way: "insecure": "true", "proxy": URL without password,
    // "cacert", "http2", "reuse_connections", "allow_plain_http", "accept_done_without_finish".
    std::vector<std::pair<std::string, std::string>> transport{};

    // The weights that the server is said to serve, where a report of them was given.
    std::optional<AuditedCheckpoint> checkpoint{};

    // What was asked for: seeds first_seed .. first_seed + seeds - 1, and the first `rows` rows.
    int first_seed = 0;
    int seeds = 0;
    int rows = 0;

    int concurrency = 0;     // requests in flight; the most to one server, where the number was found by itself
    bool automatic = false;  // it was
    std::optional<double> requests_per_minute;  // bounds, where there were any
    std::optional<double> tokens_per_minute;
    int max_retries = 0;
    std::int64_t connect_ms = 0;  // limits of one try, as chat::Limits has them
    std::int64_t first_byte_ms = 0;
    std::int64_t silence_ms = 0;
};

// One process that worked on a run.
struct Session {
    std::string id;  // 16 hex digits, different for every process
    double started_unix_s = 0;
    std::string host;
    std::int64_t pid = 0;
    RunInfo info;
};

}  // namespace assay::runs

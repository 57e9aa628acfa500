// BlockedSignals: SIGINT and SIGTERM taken off every thread and handed to whoever waits here.
//
// Construct it in main before the first thread starts (threads inherit the mask); one object a process.
// SIGPIPE is ignored for the life of the process: a closed socket is an error code, not a death.
#pragma once

#include <csignal>

#include <chrono>
#include <optional>

namespace assay::loop {

class BlockedSignals {
public:
    BlockedSignals();
    ~BlockedSignals();
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

    // The next SIGINT or SIGTERM within `limit`, or nothing. Threads: any, one at a time.
    [[nodiscard]] std::optional<int> wait_for(std::chrono::milliseconds limit);

private:
    sigset_t watched_{};
    sigset_t before_{};
};

}  // namespace assay::loop

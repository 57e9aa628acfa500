// BlockedSignals: SIGINT and SIGTERM taken off every thread and handed to whoever waits here.
//
// Construct it in main before the first thread starts (threads inherit the mask); one object a process.
// Throws std::system_error where the process may open no more descriptors (it takes two).
// SIGPIPE is ignored for the life of the process: a closed socket is an error code, not a death.
#pragma once

#include <csignal>

#include <chrono>
#include <optional>

#include "harness/loop/file_descriptor.hpp"

namespace assay::loop {

class BlockedSignals {
public:
    BlockedSignals();
    ~BlockedSignals();
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

    // The next SIGINT or SIGTERM within `limit`, or nothing, sooner where it is woken. Threads: any, one at a time.
    [[nodiscard]] std::optional<int> wait_for(std::chrono::milliseconds limit);

    // Ends the wait that is going on, or else the next one. Threads: any.
    void wake() noexcept;

private:
    sigset_t watched_{};
    sigset_t before_{};
    FileDescriptor arrived_;
    FileDescriptor woken_;
};

}  // namespace assay::loop

// WalkMonitor: shows how far a walk is on standard error, and turns SIGINT and SIGTERM into its cancellation.
//
// On a terminal one line that is rewritten; elsewhere a plain line every 30 seconds; nothing where quiet.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "harness/cancel.hpp"
#include "harness/loop/signals.hpp"
#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

class WalkMonitor {
public:
    WalkMonitor(const WalkProgress& progress, Cancel& cancel, bool quiet);
    ~WalkMonitor();
    WalkMonitor(const WalkMonitor&) = delete;
    WalkMonitor& operator=(const WalkMonitor&) = delete;

private:
    void watch(const std::stop_token& stop);

    const WalkProgress& progress_;
    Cancel& cancel_;
    bool quiet_;
    bool terminal_;
    loop::BlockedSignals signals_;
    std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace assay::runners

// drive: the threads of `score`. The loop's thread sends and receives, the journal's writes and judges, and the
// calling thread shows progress and waits for signals. What the client did is recorded every minute and at the end.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/run_writer.hpp"
#include "harness/loop/signals.hpp"
#include "harness/progress.hpp"
#include "reports/progress/progress_line.hpp"
#include "runners/drivers/dispatch.hpp"

namespace assay::runners {

struct Drive {
    std::vector<Server> servers;  // one or more, of the same model
    LaneSettings lanes;
    DispatchSettings settings;
    std::vector<Work> work;
    Dispatch::Body body;
    Dispatch::GivenUp given_up;  // called on the loop's thread
    std::function<double()> foreign_cpu_seconds;  // of what else runs in this process, so far; may be empty. On the loop's thread
    std::function<bool()> enough;  // may be empty; on the calling thread, often: true: nothing more is to be sent, and that is no failure
};

struct DriveEnd {
    bool interrupted = false;            // by a signal
    std::optional<std::string> stopped;  // why the run cannot go on, in one line
};

// Hands the run's failure to the drive that is going on; for RunWriter::Hooks::failed, from any thread.
class StopRequest {
public:
    void raise(const std::string& why);
    [[nodiscard]] std::optional<std::string> take();

private:
    std::mutex mutex_;
    std::optional<std::string> why_;
};

// Blocks until the work is done or ended. `signals` was constructed before any thread was started. `line` may be
// null: no progress is shown. Rethrows what the loop's thread threw.
DriveEnd drive(Drive job, runs::RunWriter& run, Progress& progress, loop::BlockedSignals& signals, StopRequest& stop,
               reports::ProgressLine* line);

}  // namespace assay::runners

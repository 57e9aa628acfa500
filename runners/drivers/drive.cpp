#include "runners/drivers/drive.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace assay::runners {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds look_every{100};

double steady_seconds() {
    return std::chrono::duration<double>(loop::Clock::now().time_since_epoch()).count();
}

// What lives on the loop's thread. The lanes go before the loop ends, so that its connections are closed.
struct LoopThread {
    loop::EventLoop loop;
    std::unique_ptr<Lanes> lanes;
    std::unique_ptr<Dispatch> dispatch;
    std::optional<std::string> halted;
    std::exception_ptr failure;
    std::atomic<bool> over{false};

    void run(Drive& job, runs::RunWriter& writer, Progress& progress) {
        try {
            lanes = std::make_unique<Lanes>(loop, job.servers, job.lanes);
            dispatch = std::make_unique<Dispatch>(loop, *lanes, writer, progress, job.settings, std::move(job.work), std::move(job.body),
                                                  std::move(job.given_up));
            watch_traffic(progress);
            dispatch->start([this] {
                // From within a client's callback: let that return before the lanes are destroyed.
                loop.post([this] { wind_up(); });
            });
            loop.run();
        } catch (...) {
            failure = std::current_exception();
        }
        lanes.reset();
        over.store(true);
    }

    void watch_traffic(Progress& progress) {
        progress.text_events.store(lanes->traffic().text_events, std::memory_order_relaxed);
        loop.after(look_every, [this, &progress] { watch_traffic(progress); });
    }

    void wind_up() {
        halted = dispatch->halted();
        loop.stop();
    }

    void halt(const std::string& why) {
        loop.post([this, why] {
            if (dispatch) dispatch->halt(why);
        });
    }
};

}  // namespace

void StopRequest::raise(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (!why_) why_ = why;
}

std::optional<std::string> StopRequest::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(why_, std::nullopt);
}

DriveEnd drive(Drive job, runs::RunWriter& run, Progress& progress, loop::BlockedSignals& signals, StopRequest& stop,
               reports::ProgressLine* line) {
    DriveEnd end;
    LoopThread worker;
    bool enough = false;
    std::thread thread([&] { worker.run(job, run, progress); });
    while (!worker.over.load()) {
        if (signals.wait_for(look_every)) {
            end.interrupted = true;
            worker.halt({});
        }
        if (const auto why = stop.take()) worker.halt(*why);
        if (!enough && job.enough && job.enough()) {
            enough = true;
            worker.halt({});
        }
        if (line != nullptr) line->tick(steady_seconds());
    }
    thread.join();
    run.flush();  // the last replies are judged as they are written: the last line must count them
    if (line != nullptr) line->finish(steady_seconds());
    if (worker.failure) std::rethrow_exception(worker.failure);
    end.loop_delay = worker.loop.delay();
    if (worker.halted && !worker.halted->empty()) end.stopped = *worker.halted;
    return end;
}

}  // namespace assay::runners

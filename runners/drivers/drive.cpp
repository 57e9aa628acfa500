#include "runners/drivers/drive.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "runners/drivers/cpu_time.hpp"

namespace assay::runners {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds look_every{100};
constexpr std::chrono::minutes record_every{1};
constexpr milliseconds gather_for{2};  // tokens come every ten milliseconds and more: nobody misses these

double steady_seconds() {
    return std::chrono::duration<double>(loop::Clock::now().time_since_epoch()).count();
}

// What this process took since it was constructed, on the loop's thread.
class OwnWork {
public:
    explicit OwnWork(std::function<double()> foreign) : foreign_(std::move(foreign)), foreign_before_(foreign_cpu()) {}

    [[nodiscard]] runs::ClientWork so_far(const Dispatch& dispatch, const loop::EventLoop& loop) const {
        const auto seen = dispatch.seen_in_flight();
        const auto delay = loop.delay();
        const double passed = std::max(steady_seconds() - started_, 1e-3);
        runs::ClientWork work;
        work.seconds = seen.seconds;
        work.mean_in_flight = seen.mean();
        work.max_in_flight = seen.most;
        work.target = dispatch.found();
        work.automatic = dispatch.automatic();
        work.share_at_target = seen.share_at_target();
        work.held_by_server_s = seen.held_by(pacing::Hold::server);
        work.held_by_rates_s = seen.held_by(pacing::Hold::rates);
        work.held_by_text_s = seen.held_by(pacing::Hold::text);
        work.delay_p50_ms = delay.p50_ms;
        work.delay_p99_ms = delay.p99_ms;
        work.delay_max_ms = delay.max_ms;
        work.loop_cpu_share = (thread_cpu_seconds() - thread_before_) / passed;
        work.cpu_share = std::max(process_cpu_seconds() - process_before_ - (foreign_cpu() - foreign_before_), 0.0) / passed;
        return work;
    }

private:
    [[nodiscard]] double foreign_cpu() const { return foreign_ ? foreign_() : 0; }

    std::function<double()> foreign_;
    double started_ = steady_seconds();
    double thread_before_ = thread_cpu_seconds();
    double process_before_ = process_cpu_seconds();
    double foreign_before_;
};

// What lives on the loop's thread. The lanes go before the loop ends, so that its connections are closed.
struct LoopThread {
    loop::EventLoop loop;
    std::unique_ptr<Lanes> lanes;
    std::unique_ptr<Dispatch> dispatch;
    std::optional<OwnWork> own_work;
    runs::RunWriter* writer = nullptr;
    std::optional<std::string> halted;
    std::exception_ptr failure;
    std::atomic<bool> over{false};

    void run(Drive& job, runs::RunWriter& run, Progress& progress) {
        try {
            const bool has_work = !job.work.empty();
            loop.gather(gather_for);
            writer = &run;
            own_work.emplace(std::move(job.foreign_cpu_seconds));
            lanes = std::make_unique<Lanes>(loop, job.servers, job.lanes);
            dispatch = std::make_unique<Dispatch>(loop, *lanes, run, progress, job.settings, std::move(job.work), std::move(job.body),
                                                  std::move(job.given_up));
            watch_traffic(progress);
            if (has_work) record_work();
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

    void record_work() {
        loop.after(record_every, [this] {
            writer->work(own_work->so_far(*dispatch, loop));
            record_work();
        });
    }

    void wind_up() {
        halted = dispatch->halted();
        if (dispatch->seen_in_flight().seconds > 0) writer->work(own_work->so_far(*dispatch, loop));
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
    std::thread thread([&] {
        worker.run(job, run, progress);
        signals.wake();
    });
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
    if (worker.halted && !worker.halted->empty()) end.stopped = *worker.halted;
    return end;
}

}  // namespace assay::runners

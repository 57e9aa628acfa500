// Crew: threads that work off what one thread hands them.
//
// Results come back in no order of their own: sort them by what they hold, and nothing depends on the number of threads.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace assay::runners {

template <class Work, class Result>
class Crew {
public:
    using Worker = std::function<void(Work work, std::vector<Result>& results)>;

    // `make_worker` is called once on each of the `threads` (1 or more), which it may give things of its own.
    Crew(int threads, std::function<Worker()> make_worker) : make_worker_(std::move(make_worker)) {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
    }
    // What was not finished is dropped.
    ~Crew() {
        {
            const std::lock_guard lock(mutex_);
            waiting_.clear();
        }
        end();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // One thread calls; it waits while there is enough to do, so that memory stays bounded.
    void add(Work work) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_.size() < most_waiting || failure_; });
        waiting_.push_back(std::move(work));
        changed_.notify_all();
    }

    // Waits for all that was added. Throws what a worker threw. Call once.
    [[nodiscard]] std::vector<Result> finish() {
        end();
        if (failure_) std::rethrow_exception(failure_);
        return std::move(done_);
    }

private:
    static constexpr std::size_t most_waiting = 8;

    void run() {
        std::vector<Result> mine;
        try {
            const Worker worker = make_worker_();
            while (auto work = take()) worker(std::move(*work), mine);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            changed_.notify_all();
        }
        const std::lock_guard lock(mutex_);
        std::move(mine.begin(), mine.end(), std::back_inserter(done_));
    }

    std::optional<Work> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !waiting_.empty() || no_more_; });
        if (waiting_.empty()) return std::nullopt;
        Work work = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        return work;
    }

    void end() {
        {
            const std::lock_guard lock(mutex_);
            no_more_ = true;
            changed_.notify_all();
        }
        threads_.clear();  // joins
    }

    std::function<Worker()> make_worker_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Work> waiting_;
    bool no_more_ = false;
    std::exception_ptr failure_;
    std::vector<Result> done_;
    std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace assay::runners

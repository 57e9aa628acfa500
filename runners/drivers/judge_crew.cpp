#include "runners/drivers/judge_crew.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace assay::runners {
namespace {

// Short replies are handed over many at a time: a hand-over costs more than reading one of them.
constexpr std::size_t batch_bytes = std::size_t{1} << 20U;
constexpr std::size_t batches_waiting = 8;

struct Work {
    runs::Attempt attempt;
    const questions::Question* question;
};
using Batch = std::vector<Work>;

}  // namespace

struct JudgeCrew::Parts {
    std::vector<const multichoice::Extractor*> extractors;
    Grading grading;

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Batch> waiting;
    bool no_more = false;
    std::exception_ptr failure;
    std::vector<JudgedAttempt> done;

    Batch filling;  // the adding thread's own
    std::size_t filled_bytes = 0;
    std::vector<std::jthread> threads;

    [[nodiscard]] JudgedAttempt judged(const Work& work) const {
        JudgedAttempt out{work.attempt.key, {}};
        for (const auto* extractor : extractors) out.cells.push_back(judged_cell(work.attempt, *work.question, *extractor, grading));
        return out;
    }

    void work() {
        std::vector<JudgedAttempt> mine;
        try {
            while (const auto batch = take()) {
                for (const Work& one : *batch) mine.push_back(judged(one));
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            changed.notify_all();
        }
        const std::lock_guard lock(mutex);
        std::move(mine.begin(), mine.end(), std::back_inserter(done));
    }

    std::optional<Batch> take() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return !waiting.empty() || no_more; });
        if (waiting.empty()) return std::nullopt;
        Batch batch = std::move(waiting.front());
        waiting.pop_front();
        changed.notify_all();
        return batch;
    }

    void hand_over() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return waiting.size() < batches_waiting || failure; });
        waiting.push_back(std::move(filling));
        changed.notify_all();
        filling = {};
        filled_bytes = 0;
    }

    void end() {
        {
            const std::lock_guard lock(mutex);
            no_more = true;
            changed.notify_all();
        }
        threads.clear();  // joins
    }
};

JudgeCrew::JudgeCrew(std::vector<const multichoice::Extractor*> extractors, Grading grading, int threads) : parts_(std::make_unique<Parts>()) {
    parts_->extractors = std::move(extractors);
    parts_->grading = grading;
    for (int i = 0; i < threads; ++i) parts_->threads.emplace_back([parts = parts_.get()] { parts->work(); });
}

JudgeCrew::~JudgeCrew() {
    {
        const std::lock_guard lock(parts_->mutex);
        parts_->waiting.clear();
    }
    parts_->end();
}

void JudgeCrew::add(runs::Attempt attempt, const questions::Question& question) {
    parts_->filled_bytes += attempt.reply.content.size() + attempt.reply.reasoning.size() + sizeof attempt;
    parts_->filling.push_back({std::move(attempt), &question});
    if (parts_->filled_bytes >= batch_bytes) parts_->hand_over();
}

std::vector<JudgedAttempt> JudgeCrew::finish() {
    if (!parts_->filling.empty()) parts_->hand_over();
    parts_->end();
    if (parts_->failure) std::rethrow_exception(parts_->failure);
    std::sort(parts_->done.begin(), parts_->done.end(), [](const JudgedAttempt& a, const JudgedAttempt& b) { return a.key < b.key; });
    return std::move(parts_->done);
}

}  // namespace assay::runners

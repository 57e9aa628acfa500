#include "runners/drivers/judge_crew.hpp"

#include <algorithm>

#include "runners/drivers/crew.hpp"

namespace assay::runners {
namespace {

// Short replies are handed over many at a time: a hand-over costs more than reading one of them.
constexpr std::size_t batch_bytes = std::size_t{1} << 20U;

struct Work {
    runs::Attempt attempt;
    const questions::Question* question;
};
using Batch = std::vector<Work>;

}  // namespace

struct JudgeCrew::Parts {
    Crew<Batch, JudgedAttempt> crew;
    Batch filling{};
    std::size_t filled_bytes = 0;

    void hand_over() {
        crew.add(std::exchange(filling, {}));
        filled_bytes = 0;
    }
};

JudgeCrew::JudgeCrew(std::vector<const multichoice::Extractor*> extractors, Grading grading, int threads) {
    const auto worker = [extractors = std::move(extractors), grading](Batch batch, std::vector<JudgedAttempt>& results) {
        for (const Work& work : batch) {
            JudgedAttempt judged{work.attempt.key, {}};
            for (const auto* extractor : extractors) judged.cells.push_back(judged_cell(work.attempt, *work.question, *extractor, grading));
            results.push_back(std::move(judged));
        }
    };
    parts_.reset(new Parts{{threads, [worker] { return worker; }}});
}

JudgeCrew::~JudgeCrew() = default;

void JudgeCrew::add(runs::Attempt attempt, const questions::Question& question) {
    parts_->filled_bytes += attempt.reply.content.size() + attempt.reply.reasoning.size() + sizeof attempt;
    parts_->filling.push_back({std::move(attempt), &question});
    if (parts_->filled_bytes >= batch_bytes) parts_->hand_over();
}

std::vector<JudgedAttempt> JudgeCrew::finish() {
    if (!parts_->filling.empty()) parts_->hand_over();
    std::vector<JudgedAttempt> done = parts_->crew.finish();
    std::sort(done.begin(), done.end(), [](const JudgedAttempt& a, const JudgedAttempt& b) { return a.key < b.key; });
    return done;
}

}  // namespace assay::runners

// JudgeCrew: attempts judged by several extractors beside the thread that reads them.
//
// Reading and decoding a journal is one thread's work; reading letters out of long replies costs as much or more, and
// is independent for each reply. The result does not depend on the number of threads.
#pragma once

#include <memory>
#include <vector>

#include "datasets/questions/question.hpp"
#include "datasets/runs/attempt.hpp"
#include "runners/drivers/judging.hpp"
#include "scorers/multichoice/extractor.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

struct JudgedAttempt {
    runs::AttemptKey key;
    std::vector<statistics::Cell> cells;  // by extractor, in their order
};

class JudgeCrew {
public:
    // `threads` of at least 1 judge; memory stays bounded: add() waits while they have enough to do.
    JudgeCrew(std::vector<const multichoice::Extractor*> extractors, Grading grading, int threads);
    ~JudgeCrew();  // what was not finished is dropped
    JudgeCrew(const JudgeCrew&) = delete;
    JudgeCrew& operator=(const JudgeCrew&) = delete;

    // One thread calls. `question` must stay where it is until finish() returns.
    void add(runs::Attempt attempt, const questions::Question& question);

    // Waits for all that was added, and gives it in order of the keys. Throws what judging threw. Call once.
    [[nodiscard]] std::vector<JudgedAttempt> finish();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::runners

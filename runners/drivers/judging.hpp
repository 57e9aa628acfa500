// Judging: attempts made into cells of a SeedTable, by a question's key and an extractor.
#pragma once

#include <string_view>
#include <vector>

#include "datasets/questions/question_set.hpp"
#include "datasets/runs/attempt.hpp"
#include "scorers/multichoice/extractor.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

inline constexpr std::size_t graded_reasoning_bytes = 4096;

struct Grading {
    // Replies that finished with reasoning only are graded by the last 4 KiB of it (whole code points); without this
    // they carry no answer.
    bool reasoning = false;
};

// The cell of one attempt. An attempt whose last try is not scored becomes `unscored`, with the outcome's name.
// Only the content is read, and only of complete and truncated replies: a filtered, empty or reasoning-only reply
// carries no answer, but see Grading. Safe to call from any number of threads at once.
[[nodiscard]] statistics::Cell judged_cell(const runs::Attempt& attempt, const questions::Question& question,
                                           const multichoice::Extractor& extractor, const Grading& grading = {});

[[nodiscard]] statistics::Cell unscored_cell(chat::Outcome outcome);

// An empty table (all cells missing) of the set's questions by `seeds`.
[[nodiscard]] statistics::SeedTable empty_table(const questions::QuestionSet& set, const std::vector<int>& seeds);

// The cell of that attempt, or null where the table has no such row or column.
[[nodiscard]] statistics::Cell* cell_at(statistics::SeedTable& table, const runs::AttemptKey& key);

}  // namespace assay::runners

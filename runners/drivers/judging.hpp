// Judging: the attempts of a run made into a SeedTable, by a question set's key and an extractor.
#pragma once

#include <vector>

#include "datasets/questions/question_set.hpp"
#include "datasets/runs/attempt.hpp"
#include "datasets/runs/run_reader.hpp"
#include "scorers/multichoice/extractor.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

// The cell of one attempt. An attempt whose last try is not scored becomes `unscored`, with the outcome's name.
// Only the content is read, and only of complete and truncated replies: a filtered, empty or reasoning-only reply
// carries no answer.
[[nodiscard]] statistics::Cell judged_cell(const runs::Attempt& attempt, const questions::Question& question,
                                           const multichoice::Extractor& extractor);

// An empty table (all cells missing) of the set's questions by `seeds`.
[[nodiscard]] statistics::SeedTable empty_table(const questions::QuestionSet& set, const std::vector<int>& seeds);

// Every attempt on record that lies within `set` and `seeds`, judged. `set.questions` may be a limit of the file.
[[nodiscard]] statistics::SeedTable judged_table(runs::RunReader& run, const questions::QuestionSet& set, const std::vector<int>& seeds,
                                                 const multichoice::Extractor& extractor);

}  // namespace assay::runners

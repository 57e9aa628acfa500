// Judged attempts laid out as tables, one an extractor.
#pragma once

#include <vector>

#include "datasets/questions/question_set.hpp"
#include "runners/drivers/judge_crew.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

// Threads that judge beside the one that reads: as many as the machine has, at most 16.
[[nodiscard]] int judging_threads();

// Tables of the set's questions by `seeds` (ascending); attempts outside both are left out, and cells without one are missing.
[[nodiscard]] std::vector<statistics::SeedTable> tables_of(const questions::QuestionSet& set, const std::vector<int>& seeds,
                                                           std::vector<JudgedAttempt> attempts, std::size_t extractors);

// The attempt's cells in their places of the tables, one an extractor; nowhere where the tables do not hold it.
void put(std::vector<statistics::SeedTable>& tables, JudgedAttempt attempt);

}  // namespace assay::runners

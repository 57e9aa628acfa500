// JudgedRun: a run loaded from its folder, judged and summed up, ready to be reported.
#pragma once

#include <optional>
#include <string>

#include "datasets/questions/question_set.hpp"
#include "reports/score/run_header.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::runners {

struct JudgedRun {
    reports::RunHeader header;
    questions::QuestionSet set;  // the rows that the run asked
    statistics::SeedTable table;
    statistics::Summary summary;
};

// Path of the question set that a run keeps.
[[nodiscard]] std::string kept_questions_path(const std::string& run);

// Reads the run at `path`, or the folder of NeMo-Skills results (nemo_results.hpp). `extractor` is by name; unset: the one of the run's protocol.
// Throws assay::Error, one clear line, where the path is no run or the extractor is not known.
[[nodiscard]] JudgedRun judge_run(const std::string& path, const std::optional<std::string>& extractor);

}  // namespace assay::runners

// JudgedRun: a run loaded from its folder, judged and summed up, ready to be reported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/questions/question_set.hpp"
#include "reports/score/run_header.hpp"
#include "runners/drivers/judging.hpp"
#include "scorers/multichoice/extractor.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::runners {

struct JudgedRun {
    reports::RunHeader header;
    questions::QuestionSet set;  // the rows that the run asked
    statistics::SeedTable table;
    statistics::Summary summary;
};

// The same attempts judged by one extractor or more.
struct RejudgedRun {
    reports::RunHeader header;   // header.extractor is the first
    questions::QuestionSet set;  // as in JudgedRun
    std::vector<const multichoice::Extractor*> extractors;
    std::vector<statistics::SeedTable> tables;  // by extractor, in their order
};

using Extractors = std::vector<const multichoice::Extractor*>;

// Path of the question set that a run keeps.
[[nodiscard]] std::string kept_questions_path(const std::string& run);

// Reads the run at `path`, or the folder of NeMo-Skills results (nemo_results.hpp), once, and judges it by each of the extractors
// (one or more). header.notes says of each that does not fit the prompt that was asked. `protocol`: the one that results were
// asked under, which their files do not say; empty for unknown. Throws assay::Error, one clear line, where the path is no run, or a
// run that was asked under another protocol than that.
[[nodiscard]] RejudgedRun rejudge_run(const std::string& path, const Extractors& extractors, const Grading& grading = {},
                                      const std::string& protocol = {});

// The same, by one extractor, summed up. `extractor` is by name; unset: the one of the run's protocol. Where it is not
// named, header.notes says on how many attempts the project's own, "assay", reads another answer.
// Throws assay::Error where the path is no run or the extractor is not known.
[[nodiscard]] JudgedRun judge_run(const std::string& path, const std::optional<std::string>& extractor, const Grading& grading = {});

// The protocol that a run was asked under; of NeMo-Skills results, whose files do not say, nemo.
[[nodiscard]] std::string usual_protocol(const std::string& path);

// The extractor that a run is judged by unless another is asked for. `protocol` as in rejudge_run.
[[nodiscard]] const multichoice::Extractor& usual_extractor(const std::string& path, const std::string& protocol = {});

}  // namespace assay::runners

// The plan that flags and a question set make together.
#pragma once

#include <string>

#include "datasets/questions/question_set.hpp"
#include "datasets/runs/plan.hpp"
#include "runners/commands/score_options.hpp"

namespace assay::runners {

// `set` is the whole file, whatever --limit says; `simulated` is what decides a simulated endpoint's answers, or empty.
// Throws assay::Error where --extra-body is no JSON object.
[[nodiscard]] runs::Plan plan_of(const ScoreOptions& options, const questions::QuestionSet& set, const std::string& model,
                                 const std::string& simulated);

}  // namespace assay::runners

// The key of a question set, as the simulated endpoint takes it.
#pragma once

#include <vector>

#include "datasets/questions/question_set.hpp"
#include "runners/simulated/keyed_responder.hpp"

namespace assay::runners {

// One a question, in the set's order. Give it the whole file: how hard a question is depends on all of them,
// and must not change with --limit.
[[nodiscard]] std::vector<KeyedPrompt> keyed_prompts(const questions::QuestionSet& set, const questions::Protocol& protocol);

}  // namespace assay::runners

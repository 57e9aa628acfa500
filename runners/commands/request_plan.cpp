#include "runners/commands/request_plan.hpp"

#include "runners/drivers/asking.hpp"

namespace assay::runners {

runs::Plan plan_of(const ScoreOptions& options, const questions::QuestionSet& set, const std::string& model, const std::string& simulated) {
    runs::Plan plan;
    plan.dataset_name = set.name;
    plan.dataset_rows = set.rows;
    plan.dataset_sha256 = set.file_sha256;
    plan.protocol = set.protocol;
    plan.prompts_sha256 = set.prompts_sha256;
    plan.model = model;
    plan.sampling.temperature = options.temperature;
    plan.sampling.top_p = options.top_p;
    if (options.greedy_seed) plan.sampling.greedy_seed = static_cast<int>(*options.greedy_seed);
    plan.sampling.reasoning_effort = options.reasoning_effort;
    plan.sampling.extra_body = canonical_object(options.extra_body, "--extra-body");
    plan.budget = options.max_tokens;
    plan.budget_field = options.budget_field;
    plan.simulated = simulated;
    return plan;
}

}  // namespace assay::runners

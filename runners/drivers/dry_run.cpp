#include "runners/drivers/dry_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "datasets/runs/plan_json.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::runners {
namespace {

std::string sampling_text(const runs::Plan& plan) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (plan.sampling.temperature) add(fmt::format("temperature {}", *plan.sampling.temperature));
    if (plan.sampling.top_p) add(fmt::format("top_p {}", *plan.sampling.top_p));
    if (plan.sampling.reasoning_effort) add("reasoning_effort " + *plan.sampling.reasoning_effort);
    if (!plan.sampling.extra_body.empty()) add("extra body " + plan.sampling.extra_body);
    if (text.empty()) text = "nothing sent: the server's own settings hold";
    if (plan.sampling.greedy_seed) text += fmt::format("; seed {} with temperature 0", *plan.sampling.greedy_seed);
    return text;
}

std::string seeds_text(const std::vector<int>& seeds) {
    return seeds.size() == 1 ? fmt::format("{}", seeds.front()) : fmt::format("{} to {}", seeds.front(), seeds.back());
}

}  // namespace

std::string dry_run_text(const DryRun& dry_run) {
    const runs::Plan& plan = dry_run.plan;
    const auto requests = static_cast<std::int64_t>(dry_run.seeds.size()) * dry_run.questions;
    std::string text;
    const auto fact = [&](const char* name, const std::string& value) { text += fmt::format("{:<10} {}\n", name, reports::visible(value)); };
    fact("requests", fmt::format("{}: {} questions x {} seeds; nothing was sent", requests, dry_run.questions, dry_run.seeds.size()));
    fact("plan", runs::plan_hash(plan));
    fact("endpoint", fmt::format("{}", fmt::join(dry_run.endpoints, ", ")));
    fact("model", plan.model);
    fact("dataset", fmt::format("{}, {} rows, sha256 {}", plan.dataset_name, plan.dataset_rows, plan.dataset_sha256));
    fact("protocol", fmt::format("{}, prompts sha256 {}", plan.protocol, plan.prompts_sha256));
    fact("extractor", dry_run.extractor);
    fact("seeds", seeds_text(dry_run.seeds));
    fact("sampling", sampling_text(plan));
    if (plan.budget) fact("budget", fmt::format("{} tokens as {}", *plan.budget, plan.budget_field));
    fact("pacing", dry_run.pacing);
    if (!plan.simulated.empty()) fact("simulated", plan.simulated);
    for (const auto& line : dry_run.said) fact("note", line);
    text += "first request\n" + reports::visible(dry_run.first_body) + "\n";
    return text;
}

std::string dry_run_json(const DryRun& dry_run) {
    using Json = nlohmann::ordered_json;
    const Json document{{"format", "assay.dry_run/1"},
                        {"requests", static_cast<std::int64_t>(dry_run.seeds.size()) * dry_run.questions},
                        {"questions", dry_run.questions},
                        {"seeds", dry_run.seeds},
                        {"plan_hash", runs::plan_hash(dry_run.plan)},
                        {"plan", Json::parse(runs::plan_json(dry_run.plan))},
                        {"endpoints", dry_run.endpoints},
                        {"extractor", dry_run.extractor},
                        {"pacing", dry_run.pacing},
                        {"notes", dry_run.said},
                        {"first_request", Json::parse(dry_run.first_body)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::runners

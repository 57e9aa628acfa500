#include "runners/drivers/asking.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::runners {

std::string canonical_object(const std::string& json, const std::string& flag) {
    if (json.empty()) return {};
    const auto object = nlohmann::json::parse(json, nullptr, false);  // std::map: keys come out sorted
    if (!object.is_object()) throw Error(fmt::format("{} takes a JSON object such as '{{\"top_k\": 20}}', and this is none", flag));
    return object.empty() ? std::string() : object.dump();
}

Asking::Asking(const questions::QuestionSet& set, const questions::Protocol& protocol, runs::Plan plan)
    : plan_(std::move(plan)), prompts_(questions::render_prompts(set, protocol)) {}

chat::Request Asking::request(const runs::AttemptKey& key) const {
    chat::Request request;
    request.model = plan_.model;
    request.messages = prompts_[static_cast<std::size_t>(key.question)];
    request.budget = plan_.budget;
    if (plan_.budget_field == "max_completion_tokens") request.budget_field = chat::BudgetField::max_completion_tokens;
    request.temperature = plan_.sampling.temperature;
    if (plan_.sampling.greedy_seed == key.seed) request.temperature = 0.0;
    request.top_p = plan_.sampling.top_p;
    request.seed = key.seed;
    request.reasoning_effort = plan_.sampling.reasoning_effort;
    request.extra_body = plan_.sampling.extra_body;
    return request;
}

std::vector<chat::Request> Asking::requests(int seed) const {
    std::vector<chat::Request> all;
    for (std::size_t question = 0; question < prompts_.size(); ++question) all.push_back(request({seed, static_cast<int>(question)}));
    return all;
}

}  // namespace assay::runners

#include "harness/chat/request.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::chat {
namespace {

using Json = nlohmann::ordered_json;

Json parsed_extra(const std::string& extra_body) {
    Json extra = Json::parse(extra_body, nullptr, false);
    if (extra.is_discarded() || !extra.is_object()) {
        throw Error(fmt::format("expected a JSON object for --extra-body, found {}", extra_body.substr(0, 200)));
    }
    return extra;
}

// Both names of the budget at once are refused by some servers and settled differently by others.
void check_one_budget(const Request& request, const Json& extra) {
    const char* other = to_string(request.budget_field == BudgetField::max_tokens ? BudgetField::max_completion_tokens : BudgetField::max_tokens);
    if (request.budget && extra.contains(other)) {
        throw Error(fmt::format("--extra-body sets {} beside {}; choose one with --budget-field", other, to_string(request.budget_field)));
    }
}

void check_one_choice(const Json& extra) {
    if (const auto n = extra.find("n"); n != extra.end() && !n->is_null() && *n != 1)
        throw Error(fmt::format("--extra-body asks for n = {}; one reply is read from a request: take n out, and ask more often with --seeds", n->dump().substr(0, 40)));
}

}  // namespace

std::string request_body(const Request& request) {
    Json body;
    body["model"] = request.model;
    body["messages"] = Json::array();
    for (const Message& message : request.messages) {
        body["messages"].push_back({{"role", message.role}, {"content", message.content}});
    }
    if (request.budget) body[to_string(request.budget_field)] = *request.budget;
    if (request.temperature) body["temperature"] = *request.temperature;
    if (request.top_p) body["top_p"] = *request.top_p;
    if (request.seed) body["seed"] = *request.seed;
    if (request.reasoning_effort) body["reasoning_effort"] = *request.reasoning_effort;
    body["stream"] = request.stream;
    if (request.stream) body["stream_options"] = {{"include_usage", true}};
    if (!request.extra_body.empty()) {
        const Json extra = parsed_extra(request.extra_body);
        check_one_budget(request, extra);
        check_one_choice(extra);
        for (const auto& [key, value] : extra.items()) {
            body.erase(key);
            body[key] = value;
        }
    }
    try {
        return body.dump();
    } catch (const Json::exception&) {
        throw Error("the model name or a message is not valid UTF-8, which JSON needs; check --model and the question file");
    }
}

}  // namespace assay::chat

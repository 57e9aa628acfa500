#include "runners/drivers/discovery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::runners {
namespace {

constexpr std::chrono::seconds limit{10};

preflight::ListedModel listed(const nlohmann::json& entry) {
    preflight::ListedModel model;
    model.id = entry.value("id", std::string());
    if (const auto owner = entry.find("owned_by"); owner != entry.end() && owner->is_string()) model.owned_by = owner->get<std::string>();
    if (const auto root = entry.find("root"); root != entry.end() && root->is_string()) model.root = root->get<std::string>();
    if (const auto length = entry.find("max_model_len"); length != entry.end() && length->is_number_integer()) {
        model.max_model_len = length->get<std::int64_t>();
    }
    return model;
}

}  // namespace

Discovery listing_of(const chat::Client::Answer& answer) {
    Discovery discovery;
    discovery.http_status = answer.http_status;
    if (answer.http_status == 0) {
        discovery.error = answer.error;
        discovery.timed_out = answer.timed_out;
        return discovery;
    }
    if (answer.http_status != 200) {
        const bool wants_a_key = answer.http_status == 401 || answer.http_status == 403;
        discovery.error = fmt::format("the server answered {} to the question for its models{}", answer.http_status,
                                      wants_a_key ? ": check the key (OPENAI_API_KEY, --api-key-env or --api-key-file)" : "");
        return discovery;
    }
    const auto body = nlohmann::json::parse(answer.body, nullptr, false);
    const auto data = body.is_object() ? body.find("data") : body.end();
    if (!body.is_object() || data == body.end() || !data->is_array()) {
        discovery.error = "the server's list of models could not be read";
        return discovery;
    }
    for (const auto& entry : *data) {
        if (entry.is_object() && entry.contains("id") && entry["id"].is_string()) discovery.models.push_back(listed(entry));
    }
    return discovery;
}

Discovery discover(const chat::Endpoint& endpoint, const chat::Limits& limits) {
    loop::EventLoop loop;
    chat::Client client(loop, endpoint, limits);
    Discovery discovery;
    client.get(chat::checked_base_url(endpoint.base_url) + "/models", limit, [&](const chat::Client::Answer& answer) {
        discovery = listing_of(answer);
        loop.stop();
    });
    loop.run();
    return discovery;
}

std::string chosen_model(const std::optional<std::string>& wanted, const Discovery& discovery) {
    if (wanted) return *wanted;
    if (!discovery.error.empty()) throw Error(fmt::format("no --model was given, and the server could not be asked for it: {}", discovery.error));
    if (discovery.models.size() == 1) return discovery.models.front().id;
    std::vector<std::string> ids;
    for (const auto& model : discovery.models) ids.push_back(model.id);
    throw Error(ids.empty() ? std::string("no --model was given, and the server lists none: name one with --model")
                            : fmt::format("no --model was given, and the server lists {}: name one of them: {}", ids.size(), fmt::join(ids, ", ")));
}

std::vector<std::pair<std::string, std::string>> server_facts(const Discovery& discovery, const std::string& model) {
    std::vector<std::pair<std::string, std::string>> facts;
    for (const auto& entry : discovery.models) {
        if (entry.id != model) continue;
        facts.emplace_back("model", entry.id);
        if (!entry.owned_by.empty()) facts.emplace_back("owned_by", entry.owned_by);
        if (!entry.root.empty()) facts.emplace_back("root", entry.root);
        if (entry.max_model_len) facts.emplace_back("max_model_len", fmt::format("{}", *entry.max_model_len));
    }
    return facts;
}

}  // namespace assay::runners

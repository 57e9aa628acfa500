#include "datasets/runs/run_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/runs/format_name.hpp"
#include "datasets/runs/plan_json.hpp"
#include "harness/error.hpp"

namespace assay::runs {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
void take(const Json& object, const char* key, Value& value) {
    if (const auto found = object.find(key); found != object.end() && !found->is_null()) found->get_to(value);
}

template <class Value>
void take(const Json& object, const char* key, std::optional<Value>& value) {
    if (const auto found = object.find(key); found != object.end() && !found->is_null()) value = found->get<Value>();
}

Plan plan_in(const Json& json) {
    if (!json.is_object()) throw Json::other_error::create(501, "plan is no object", &json);
    Plan plan;
    take(json, "dataset_name", plan.dataset_name);
    take(json, "dataset_rows", plan.dataset_rows);
    take(json, "dataset_sha256", plan.dataset_sha256);
    take(json, "protocol", plan.protocol);
    take(json, "prompts_sha256", plan.prompts_sha256);
    take(json, "model", plan.model);
    take(json, "budget", plan.budget);
    take(json, "budget_field", plan.budget_field);
    take(json, "simulated", plan.simulated);
    if (const auto sampling = json.find("sampling"); sampling != json.end()) {
        take(*sampling, "temperature", plan.sampling.temperature);
        take(*sampling, "top_p", plan.sampling.top_p);
        take(*sampling, "greedy_seed", plan.sampling.greedy_seed);
        take(*sampling, "reasoning_effort", plan.sampling.reasoning_effort);
        take(*sampling, "extra_body", plan.sampling.extra_body);
    }
    return plan;
}

Json json_of(const AuditedCheckpoint& one) {
    return Json{{"report", one.report},
                {"report_sha256", one.report_sha256},
                {"judge", one.judge},
                {"checkpoint", one.checkpoint},
                {"fingerprint", one.fingerprint},
                {"source", one.source},
                {"source_fingerprint", one.source_fingerprint},
                {"blocks", one.blocks},
                {"blocks_exact", one.blocks_exact},
                {"tensors", one.tensors},
                {"tensors_identical", one.tensors_identical},
                {"errors", one.errors},
                {"warnings", one.warnings}};
}

AuditedCheckpoint checkpoint_in(const Json& json) {
    AuditedCheckpoint one;
    take(json, "report", one.report);
    take(json, "report_sha256", one.report_sha256);
    take(json, "judge", one.judge);
    take(json, "checkpoint", one.checkpoint);
    take(json, "fingerprint", one.fingerprint);
    take(json, "source", one.source);
    take(json, "source_fingerprint", one.source_fingerprint);
    take(json, "blocks", one.blocks);
    take(json, "blocks_exact", one.blocks_exact);
    take(json, "tensors", one.tensors);
    take(json, "tensors_identical", one.tensors_identical);
    take(json, "errors", one.errors);
    take(json, "warnings", one.warnings);
    return one;
}

Json json_of(const RunInfo& info) {
    Json server = Json::object();
    for (const auto& [name, value] : info.server) server[name] = value;
    Json transport = Json::object();
    for (const auto& [name, value] : info.transport) transport[name] = value;
    const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    return Json{{"tool_version", info.tool_version},
                {"endpoints", info.endpoints},
                {"server", server},
                {"transport", transport},
                {"checkpoint", info.checkpoint ? json_of(*info.checkpoint) : Json(nullptr)},
                {"first_seed", info.first_seed},
                {"seeds", info.seeds},
                {"rows", info.rows},
                {"concurrency", info.concurrency},
                {"automatic_concurrency", info.automatic},
                {"requests_per_minute", or_null(info.requests_per_minute)},
                {"tokens_per_minute", or_null(info.tokens_per_minute)},
                {"max_retries", info.max_retries},
                {"connect_ms", info.connect_ms},
                {"first_byte_ms", info.first_byte_ms},
                {"silence_ms", info.silence_ms}};
}

RunInfo info_in(const Json& json) {
    RunInfo info;
    take(json, "tool_version", info.tool_version);
    take(json, "endpoints", info.endpoints);
    if (const auto server = json.find("server"); server != json.end()) {
        for (const auto& [name, value] : server->items()) info.server.emplace_back(name, value.get<std::string>());
    }
    if (const auto transport = json.find("transport"); transport != json.end()) {
        for (const auto& [name, value] : transport->items()) info.transport.emplace_back(name, value.get<std::string>());
    }
    if (const auto one = json.find("checkpoint"); one != json.end() && one->is_object()) info.checkpoint = checkpoint_in(*one);
    take(json, "first_seed", info.first_seed);
    take(json, "seeds", info.seeds);
    take(json, "rows", info.rows);
    take(json, "concurrency", info.concurrency);
    take(json, "automatic_concurrency", info.automatic);
    take(json, "requests_per_minute", info.requests_per_minute);
    take(json, "tokens_per_minute", info.tokens_per_minute);
    take(json, "max_retries", info.max_retries);
    take(json, "connect_ms", info.connect_ms);
    take(json, "first_byte_ms", info.first_byte_ms);
    take(json, "silence_ms", info.silence_ms);
    return info;
}

}  // namespace

std::string run_json(const RunDocument& document) {
    const Json json{{"format", "assay.run/1"},
                    {"plan_hash", plan_hash(document.plan)},
                    {"plan", Json::parse(plan_json(document.plan))},
                    {"created_unix_s", document.created_unix_s},
                    {"updated_unix_s", document.updated_unix_s},
                    {"info", json_of(document.info)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunDocument parse_run_json(const std::string& text, const std::string& path) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) throw Error(fmt::format("'{}' is damaged: expected a JSON object; name another --out", path));
    const auto format = json.find("format");
    check_format(format != json.end() && format->is_string() ? format->get<std::string>() : "", "assay.run", 1, path);
    try {
        RunDocument document;
        document.plan = plan_in(json.at("plan"));
        document.plan_hash = json.at("plan_hash").get<std::string>();
        take(json, "created_unix_s", document.created_unix_s);
        take(json, "updated_unix_s", document.updated_unix_s);
        if (const auto info = json.find("info"); info != json.end()) document.info = info_in(*info);
        return document;
    } catch (const Json::exception& error) {
        throw Error(fmt::format("'{}' is damaged: {}; name another --out", path, error.what()));
    }
}

}  // namespace assay::runs

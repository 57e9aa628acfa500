#include <nlohmann/json.hpp>

#include "reports/preflight/preflight_report.hpp"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json endpoint_json(const CheckedEndpoint& endpoint, const std::vector<std::string>& accepted) {
    Json checks = Json::array();
    for (const auto& check : endpoint.checks) {
        checks.push_back({{"name", check.name},
                          {"verdict", to_string(check.verdict)},
                          {"needed", check.needed},
                          {"found", check.found},
                          {"advice", or_null(check.advice)}});
    }
    Json facts = Json::object();
    for (const auto& [name, value] : endpoint.facts) facts[name] = value;
    return {{"base_url", endpoint.base_url},
            {"simulated", or_null(endpoint.simulated)},
            {"verdict", to_string(preflight::conclusion(endpoint.checks, accepted))},
            {"checks", std::move(checks)},
            {"facts", std::move(facts)}};
}

}  // namespace

std::string preflight_json(const PreflightReport& report) {
    Json endpoints = Json::array();
    for (const auto& endpoint : report.endpoints) endpoints.push_back(endpoint_json(endpoint, report.accepted));
    const Json object{{"format", "assay.preflight/1"},
                      {"tool_version", report.tool_version},
                      {"model", report.model},
                      {"dataset", report.dataset},
                      {"protocol", report.protocol},
                      {"budget", report.budget},
                      {"budget_field", report.budget_field},
                      {"accepted", report.accepted},
                      {"verdict", to_string(conclusion(report))},
                      {"endpoints", std::move(endpoints)}};
    return object.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports

// The report of a preflight: whether endpoints can be scored, check by check.
//
// Same inputs, same bytes. Texts come from outside; each renderer makes them safe for its sink.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reports/terminal/style.hpp"
#include "scorers/preflight/check.hpp"

namespace assay::reports {

struct CheckedEndpoint {
    std::string base_url;   // without secrets
    std::string simulated;  // parameters of the simulated endpoint; empty: a real one
    std::vector<preflight::Check> checks;
    std::vector<std::pair<std::string, std::string>> facts;  // what the server says of itself
};

struct PreflightReport {
    std::string tool_version;
    std::string model;
    std::string dataset;
    std::string protocol;
    std::int64_t budget = 0;
    std::string budget_field;
    std::vector<std::string> accepted;  // checks that do not count
    std::vector<CheckedEndpoint> endpoints;
};

// The worst conclusion of all endpoints.
[[nodiscard]] preflight::Verdict conclusion(const PreflightReport& report);

// For people: a line a check with its verdict, what was found and what to do, then the server's facts, then one
// sentence. Wrapped to look.width; ends with LF.
[[nodiscard]] std::string preflight_text(const PreflightReport& report, const Look& look);

// For programs: one object, ASCII, indented by two, ended by LF.
//
//   format "assay.preflight/1", tool_version, model, dataset, protocol, budget, budget_field, accepted [names], verdict
//   endpoints   [{base_url, simulated, verdict, checks [{name, verdict, needed, found, advice}], facts {name: value}}]
//
// A verdict is "verified", "refuted" or "could not tell"; advice is null where there is none, simulated for a real endpoint.
[[nodiscard]] std::string preflight_json(const PreflightReport& report);

// For build servers: a suite an endpoint, a case a check. A check that does not count (accepted, or not needed and not told)
// passes, and says so.
[[nodiscard]] std::string preflight_junit(const PreflightReport& report);

}  // namespace assay::reports

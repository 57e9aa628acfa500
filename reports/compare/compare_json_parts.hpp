// Parts of this folder's JSON. Private to it: it takes in nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reports/compare/compare_report.hpp"

namespace assay::reports {

using CompareJson = nlohmann::ordered_json;

template <typename Value>
CompareJson value_or_null(const std::optional<Value>& value) {
    return value ? CompareJson(*value) : CompareJson(nullptr);
}
inline CompareJson text_or_null(const std::string& text) { return text.empty() ? CompareJson(nullptr) : CompareJson(text); }

[[nodiscard]] CompareJson interval_json(const std::optional<statistics::Interval>& interval);
[[nodiscard]] CompareJson estimate_json(const std::optional<statistics::Estimate>& estimate, const char* method, const char* answers);
[[nodiscard]] CompareJson gate_json(const std::optional<statistics::Gate>& gate);
[[nodiscard]] CompareJson run_json(const RunHeader& header);
[[nodiscard]] std::string finished(const CompareJson& json);

}  // namespace assay::reports

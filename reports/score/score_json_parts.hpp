// Parts of the score report's JSON. Private to this folder: it takes in nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reports/score/stopping.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

using ReportJson = nlohmann::ordered_json;

template <typename Value>
ReportJson or_null(const std::optional<Value>& value) {
    return value ? ReportJson(*value) : ReportJson(nullptr);
}
inline ReportJson or_null(const std::string& text) { return text.empty() ? ReportJson(nullptr) : ReportJson(text); }

[[nodiscard]] ReportJson json_of(const std::optional<statistics::Interval>& interval);
[[nodiscard]] ReportJson json_of(const std::optional<statistics::ExpectedMajority>& expected);
[[nodiscard]] ReportJson json_of(const std::optional<Stopping>& stopping);
[[nodiscard]] ReportJson json_of(const statistics::TruncationLosses& losses);
[[nodiscard]] ReportJson json_of(const statistics::SeedAgreement& agreement);
[[nodiscard]] ReportJson json_of(const statistics::GreedySeed& greedy);

}  // namespace assay::reports

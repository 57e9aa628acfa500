// Parts that the reports of this folder share.
#pragma once

#include <string>
#include <vector>

#include "reports/compare/compare_report.hpp"
#include "reports/terminal/fact.hpp"

namespace assay::reports {

// A difference in points with its sign: "+1.25", "-0.40".
[[nodiscard]] std::string points(double fraction);
// A difference of scores lies within 100 points either way: text and JSON cut its intervals there.
[[nodiscard]] statistics::Interval within_scores(const statistics::Interval& interval);
[[nodiscard]] std::string points_range(const statistics::Interval& interval);

// The verdict and why. `what` says on what the bounds rest.
[[nodiscard]] std::vector<Fact> gate_facts(const statistics::Gate& gate, std::int64_t questions, bool of_published_counts);
[[nodiscard]] const char* limit_name(statistics::GateLimit limit);

// The figures of a comparison of two runs, without gate and tables.
[[nodiscard]] std::vector<Fact> comparison_facts(const ComparisonReport& report);

[[nodiscard]] std::string facts_and_notes(const std::vector<Fact>& facts, const std::vector<std::string>& notes, const Look& look);
[[nodiscard]] std::string simulated_line(bool simulated, const Look& look);

}  // namespace assay::reports

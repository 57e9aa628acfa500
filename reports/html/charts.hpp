// The charts of the score page: SVG elements that take their colours from the page's style sheet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

// The score of each seed as a dot, with the mean, the interval of this test and that over questions behind it.
// Empty where fewer than two seeds have a score.
[[nodiscard]] std::string seed_chart(const statistics::Summary& summary, std::optional<int> greedy_seed);

// A square a cell: columns are questions in dataset order, rows are seeds; in bands of as many questions as fit. Each
// question has a tooltip with its number, record id and how many seeds were right. Empty for an empty table.
[[nodiscard]] std::string heat_map(const statistics::SeedTable& table, const std::vector<std::string>& record_ids);

[[nodiscard]] std::string style_sheet();

}  // namespace assay::reports

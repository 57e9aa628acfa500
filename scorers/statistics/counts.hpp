// Counting cells: the integers that everything else is computed from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::statistics {

// Adds one cell.
void count(Counts& counts, const Cell& cell);

// Row `row` of the table, one cell a seed.
[[nodiscard]] std::span<const Cell> row_of(const SeedTable& table, std::size_t row);

// Every cell is scored, and there is at least one.
[[nodiscard]] bool is_full(const Counts& counts);

// Right answers of each of the given rows.
[[nodiscard]] std::vector<std::int64_t> correct_by_question(const SeedTable& table, std::span<const std::size_t> rows);

}  // namespace assay::statistics

// Some of a table's seeds: which columns, and their right answers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

// All columns but that of `seed`, in their order; all where it is unset or not there.
[[nodiscard]] std::vector<std::size_t> columns_without(const SeedTable& table, const std::optional<int>& seed);

// The column of `seed`, or nothing.
[[nodiscard]] std::optional<std::size_t> column_of(const SeedTable& table, int seed);

// Right answers to each question over these columns, in row order; and of each of these columns over all questions.
[[nodiscard]] std::vector<std::int64_t> correct_by_question_of(const SeedTable& table, std::span<const std::size_t> columns);
[[nodiscard]] std::vector<std::int64_t> correct_by_seed_of(const SeedTable& table, std::span<const std::size_t> columns);

// Every cell is scored, and there is at least one.
[[nodiscard]] bool every_cell_scored(const SeedTable& table);

}  // namespace assay::statistics

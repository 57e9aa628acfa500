#include "scorers/statistics/columns.hpp"

#include <algorithm>

namespace assay::statistics {

std::vector<std::size_t> columns_without(const SeedTable& table, const std::optional<int>& seed) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < table.columns(); ++column) {
        if (table.seeds[column] != seed) columns.push_back(column);
    }
    return columns;
}

std::optional<std::size_t> column_of(const SeedTable& table, int seed) {
    const auto found = std::find(table.seeds.begin(), table.seeds.end(), seed);
    if (found == table.seeds.end()) return std::nullopt;
    return static_cast<std::size_t>(found - table.seeds.begin());
}

std::vector<std::int64_t> correct_by_question_of(const SeedTable& table, std::span<const std::size_t> columns) {
    std::vector<std::int64_t> correct(table.rows(), 0);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const std::size_t column : columns) correct[row] += table.cell(row, column).correct ? 1 : 0;
    }
    return correct;
}

std::vector<std::int64_t> correct_by_seed_of(const SeedTable& table, std::span<const std::size_t> columns) {
    std::vector<std::int64_t> correct;
    for (const std::size_t column : columns) {
        std::int64_t right = 0;
        for (std::size_t row = 0; row < table.rows(); ++row) right += table.cell(row, column).correct ? 1 : 0;
        correct.push_back(right);
    }
    return correct;
}

bool every_cell_scored(const SeedTable& table) {
    return !table.cells.empty() && std::all_of(table.cells.begin(), table.cells.end(), [](const Cell& cell) { return cell.scored(); });
}

}  // namespace assay::statistics

#include "scorers/statistics/disagreements.hpp"

#include <algorithm>
#include <cassert>

namespace assay::statistics {

std::vector<std::size_t> disagreements(std::span<const SeedTable> tables) {
    assert(!tables.empty());
    const SeedTable& first = tables.front();
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < first.columns(); ++column) {
        for (std::size_t row = 0; row < first.rows(); ++row) {
            const std::size_t cell = row * first.columns() + column;
            const bool differ = std::any_of(tables.begin() + 1, tables.end(), [&](const SeedTable& table) {
                return table.cells[cell].prediction != first.cells[cell].prediction;
            });
            if (first.cells[cell].scored() && differ) found.push_back(cell);
        }
    }
    return found;
}

}  // namespace assay::statistics

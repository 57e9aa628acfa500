// Attempts that several extractors read differently. The tables hold the same attempts, one table an extractor.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

// Where a table's cell is: cells[cell], row cell / columns.
// In order of seed, then question. Cells that are not scored are never among them; what one reads as no answer and another
// as a letter is a disagreement. One table or more, all of one shape.
[[nodiscard]] std::vector<std::size_t> disagreements(std::span<const SeedTable> tables);

}  // namespace assay::statistics

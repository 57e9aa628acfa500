// pass@k, average of the first k seeds and majority@k for every k up to the number of seeds.
#pragma once

#include <vector>

#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::statistics {

// Full tables only; k = 1..columns. "The first k" are the first k columns.
[[nodiscard]] std::vector<AtK> curve(const SeedTable& table);

}  // namespace assay::statistics

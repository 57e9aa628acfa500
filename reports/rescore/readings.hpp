// How one extractor's readings compare with another's.
#pragma once

#include <cstdint>

#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

struct Against {
    std::int64_t differ = 0;  // scored attempts that the two read differently
    std::int64_t gained = 0;  // right by this one and not by the other
    std::int64_t lost = 0;
};
[[nodiscard]] Against against(const statistics::SeedTable& these, const statistics::SeedTable& others);

[[nodiscard]] statistics::Counts counts_of(const statistics::SeedTable& table);

}  // namespace assay::reports

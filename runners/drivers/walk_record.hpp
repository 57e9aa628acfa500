// Private to the walk's state: a unit's result as one line of JSON, and back. Real numbers are written as their bits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runners/drivers/walk_state.hpp"

namespace assay::runners {

// Without a line end.
[[nodiscard]] std::string record_of(std::size_t unit, const std::string& name, const UnitResult& result,
                                    const std::vector<bit_exact::BlockDifference>& shown, std::uint64_t written);
// Throws std::exception where the line is none, or of another unit.
[[nodiscard]] SavedUnit unit_from(std::string_view line, std::size_t unit);

}  // namespace assay::runners

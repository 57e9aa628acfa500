// Private to the block walk: rows cut into what is read at once, and that into what is compared at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runners/drivers/sample.hpp"

namespace assay::runners {

// Packed bytes of one side that are compared, surveyed and hashed while they are in the processor's cache.
inline constexpr std::uint64_t step_bytes = std::uint64_t{128} << 10;

// Runs cut into windows of at most `most` rows that do not cross a multiple of `bank`.
[[nodiscard]] inline std::vector<RowRun> windows_of(const std::vector<RowRun>& runs, std::uint64_t most,
                                                    std::uint64_t bank) {
    std::vector<RowRun> windows;
    for (const RowRun& run : runs) {
        for (std::uint64_t row = run.first, end = run.first + run.count; row < end;) {
            const std::uint64_t count = std::min({std::max<std::uint64_t>(1, most), end - row, bank - row % bank});
            windows.push_back({row, count});
            row += count;
        }
    }
    return windows;
}

}  // namespace assay::runners

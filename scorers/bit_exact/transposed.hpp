// Transposed: whether a square matrix of E2M1 codes is another with rows and columns exchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::bit_exact {

// Rows [first, first + rows of `source`) of the source, packed, against the same columns of the target, which is whole:
// `columns` x `columns` codes. Ends at the first code that differs.
[[nodiscard]] bool rows_are_columns(std::span<const std::byte> source, std::uint64_t first,
                                    std::span<const std::byte> target, std::uint64_t columns) noexcept;

}  // namespace assay::bit_exact

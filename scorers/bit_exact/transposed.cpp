#include "scorers/bit_exact/transposed.hpp"

namespace assay::bit_exact {

bool rows_are_columns(std::span<const std::byte> source, std::uint64_t first, std::span<const std::byte> target,
                      std::uint64_t columns) noexcept {
    const std::uint64_t row_bytes = columns / 2;
    const std::uint64_t rows = source.size() / row_bytes;
    const auto code = [&](std::span<const std::byte> codes, std::uint64_t row, std::uint64_t column) {
        return static_cast<unsigned>(codes[row * row_bytes + column / 2]) >> (column % 2 * 4) & 15U;
    };
    for (std::uint64_t column = 0; column < columns; ++column) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            if (code(source, row, column) != code(target, column, first + row)) return false;
        }
    }
    return true;
}

}  // namespace assay::bit_exact

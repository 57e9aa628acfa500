#include "scorers/bit_exact/transposed.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace assay::bit_exact {
namespace {

TEST(Transposed, RowsThatAreColumnsAreToldInPartsAndOneCodeAmissIsToldToo) {
    constexpr std::uint64_t n = 32;
    std::mt19937 random(1);
    std::vector<std::vector<unsigned>> matrix(n, std::vector<unsigned>(n));
    for (auto& row : matrix) {
        for (unsigned& code : row) code = random() % 16;
    }
    std::vector<std::byte> rows;
    std::vector<std::byte> columns;
    for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = 0; j < n; j += 2) {
            rows.push_back(static_cast<std::byte>(matrix[i][j] | matrix[i][j + 1] << 4));
            columns.push_back(static_cast<std::byte>(matrix[j][i] | matrix[j + 1][i] << 4));
        }
    }
    const std::span<const std::byte> all(rows);
    EXPECT_TRUE(rows_are_columns(all, 0, columns, n));
    for (std::uint64_t first = 0; first < n; first += 8)
        EXPECT_TRUE(rows_are_columns(all.subspan(first * n / 2, 8 * n / 2), first, columns, n));
    EXPECT_FALSE(rows_are_columns(all.subspan(8 * n / 2), 0, columns, n));
    columns[100] ^= std::byte{0x40};
    EXPECT_FALSE(rows_are_columns(all, 0, columns, n));
}

}  // namespace
}  // namespace assay::bit_exact

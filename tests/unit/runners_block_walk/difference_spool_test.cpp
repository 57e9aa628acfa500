#include "runners/drivers/difference_spool.hpp"

#include <gtest/gtest.h>

namespace assay::runners {
namespace {

TEST(DifferenceSpool, KeepsTheOrderWhateverTheNumber) {
    DifferenceSpool spool;
    std::uint64_t row = 0;
    while (spool.size() < 3 * DifferenceSpool::most_in_memory + 17) {
        std::vector<bit_exact::BlockDifference> some(1000);
        for (auto& one : some) one.row = row++;
        spool.add(some);
        EXPECT_TRUE(some.empty());
    }
    std::uint64_t next = 0;
    spool.each([&](const bit_exact::BlockDifference& one) { return one.row == next++; });
    EXPECT_EQ(next, spool.size());
    next = 0;
    spool.each([&](const bit_exact::BlockDifference&) { return ++next < 5; });
    EXPECT_EQ(next, 5U);
}

}  // namespace
}  // namespace assay::runners

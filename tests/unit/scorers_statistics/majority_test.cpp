#include "scorers/statistics/majority.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace assay::statistics;

namespace {

// 'A' is right; '-' is no answer, '!' an unscored cell.
std::vector<Cell> row(std::string_view letters) {
    std::vector<Cell> cells;
    for (const char letter : letters) {
        Cell cell;
        cell.state = letter == '!' ? CellState::unscored : CellState::complete;
        cell.correct = letter == 'A';
        if (letter != '-' && letter != '!') cell.prediction = std::string(1, letter);
        cells.push_back(cell);
    }
    return cells;
}

double score(std::string_view letters, int k) {
    const MajorityVote vote = majority_of_first(row(letters), k);
    return static_cast<double>(vote.right) / vote.tied;
}

}  // namespace

TEST(MajorityOfFirst, IsTheScoreOfTheMostFrequentAnswer) {
    EXPECT_EQ(score("AAB", 3), 1);
    EXPECT_EQ(score("ABB", 3), 0);
}

TEST(MajorityOfFirst, CountsATieAsTheMeanOfTheTied) {
    EXPECT_EQ(score("AB", 2), 0.5);
    EXPECT_EQ(score("BC", 2), 0);
    EXPECT_EQ(score("ABC", 3), 1.0 / 3);
    EXPECT_EQ(score("BBCCA", 5), 0);
}

TEST(MajorityOfFirst, LooksAtTheFirstKOnly) {
    EXPECT_EQ(score("ABBB", 1), 1);
    EXPECT_EQ(score("ABBB", 2), 0.5);
    EXPECT_EQ(score("ABBB", 4), 0);
}

TEST(MajorityOfFirst, LetsNobodyVoteWithoutAnAnswer) {
    EXPECT_EQ(score("--A", 3), 1);
    EXPECT_EQ(score("-!-", 3), 0);
    EXPECT_EQ(score("!A!", 3), 1);
}

TEST(MajorityOfFirst, LetsJunkVote) { EXPECT_EQ(score("77A", 3), 0); }

// All subsets, one by one.
TEST(ExpectedMajority, IsTheMeanOverAllSubsets) {
    const std::vector<std::vector<int>> tables{{3, 2, 1, 0, 2}, {1, 1, 1, 1, 4}, {0, 4, 4, 0, 0}, {5, 1, 0, 1, 1}};
    const std::string letters = "ABCD-";
    for (const auto& counts : tables) {
        std::string all;
        for (std::size_t i = 0; i < counts.size(); ++i) all += std::string(static_cast<std::size_t>(counts[i]), letters[i]);
        for (int k = 1; k <= static_cast<int>(all.size()); ++k) {
            double uniform = 0;
            double strict = 0;
            double lenient = 0;
            int subsets = 0;
            for (unsigned mask = 0; mask < (1U << all.size()); ++mask) {
                std::string chosen;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    if (((mask >> i) & 1U) != 0) chosen += all[i];
                }
                if (static_cast<int>(chosen.size()) != k) continue;
                ++subsets;
                const MajorityVote vote = majority_of_first(row(chosen), k);
                uniform += static_cast<double>(vote.right) / vote.tied;
                strict += vote.right == 1 && vote.tied == 1 ? 1 : 0;
                lenient += vote.right;
            }
            const ExpectedMajority expected = expected_majority(counts, 0, 4, k);
            EXPECT_NEAR(expected.uniform, uniform / subsets, 1e-12);
            EXPECT_NEAR(expected.pessimistic, strict / subsets, 1e-12);
            EXPECT_NEAR(expected.optimistic, lenient / subsets, 1e-12);
        }
    }
}

#include "runners/simulated/difficulty.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace assay::runners {
namespace {

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(SpreadOfDifficulty, HasTheMeanItWasToldForEverySetAndCorrelation) {
    for (const std::size_t questions : {1U, 2U, 66U, 198U, 5000U})
        for (const double accuracy : {0.02, 0.5, 0.9, 0.995})
            for (const double icc : {0.0, 0.01, 0.5, 0.99, 1.0}) {
                const auto spread = spread_of_difficulty(questions, accuracy, icc);
                ASSERT_EQ(spread.size(), questions);
                EXPECT_NEAR(mean(spread), accuracy, 1e-9) << questions << " " << accuracy << " " << icc;
                EXPECT_TRUE(std::is_sorted(spread.begin(), spread.end()));
                EXPECT_GE(spread.front(), -1e-12);
                EXPECT_LE(spread.back(), 1 + 1e-12);
            }
}

TEST(SpreadOfDifficulty, HasTheVarianceOfABetaDistribution) {
    for (const double accuracy : {0.3, 0.9})
        for (const double icc : {0.1, 0.5, 0.9}) {
            const auto spread = spread_of_difficulty(2000, accuracy, icc);
            double sum = 0;
            for (const double p : spread) sum += (p - accuracy) * (p - accuracy);
            EXPECT_NEAR(sum / 2000, icc * accuracy * (1 - accuracy), 0.03 * accuracy * (1 - accuracy)) << accuracy << " " << icc;
        }
}

TEST(SpreadOfDifficulty, IsAllTheSameWithoutCorrelationAndAllOrNothingWithFull) {
    EXPECT_EQ(spread_of_difficulty(3, 0.7, 0), (std::vector<double>{0.7, 0.7, 0.7}));
    const auto full = spread_of_difficulty(10, 0.75, 1);
    EXPECT_EQ(std::count_if(full.begin(), full.end(), [](double p) { return p < 1e-9; }), 2);
    EXPECT_EQ(std::count_if(full.begin(), full.end(), [](double p) { return p > 1 - 1e-9; }), 7);
}

TEST(SpreadOfDifficulty, IsCertainAtTheEnds) {
    EXPECT_EQ(spread_of_difficulty(2, 0, 0.5), (std::vector<double>{0, 0}));
    EXPECT_EQ(spread_of_difficulty(2, 1, 1), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace assay::runners

#include "scorers/statistics/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scorers/statistics/pass_at_k.hpp"

using namespace assay::statistics;

TEST(Choose, IsPascalsTriangleExactlyUpToFiftySix) {
    std::vector<std::int64_t> row{1};
    for (int n = 0; n <= 56; ++n) {
        for (int k = 0; k <= n; ++k) ASSERT_EQ(static_cast<std::int64_t>(choose(n, k)), row[static_cast<std::size_t>(k)]) << n << ' ' << k;
        std::vector<std::int64_t> next(row.size() + 1, 1);
        for (std::size_t k = 1; k < row.size(); ++k) next[k] = row[k - 1] + row[k];
        row = next;
    }
    EXPECT_EQ(choose(5, 6), 0);
    EXPECT_EQ(choose(5, -1), 0);
}

TEST(Hypergeometric, SumsToOneAndHasTheRightMeanOnBothPaths) {
    for (const int n : {16, 56, 57, 400}) {
        for (const int c : {0, 1, n / 3, n - 1, n}) {
            for (const int k : {0, 1, n / 2, n}) {
                double sum = 0;
                double mean = 0;
                const auto p = hypergeometric(n, c, k);
                ASSERT_EQ(p.size(), static_cast<std::size_t>(k) + 1);
                for (std::size_t j = 0; j < p.size(); ++j) {
                    sum += p[j];
                    mean += static_cast<double>(j) * p[j];
                }
                EXPECT_NEAR(sum, 1, 1e-12) << n << ' ' << c << ' ' << k;
                EXPECT_NEAR(mean, static_cast<double>(k) * c / n, 1e-9) << n << ' ' << c << ' ' << k;
            }
        }
    }
}

// The two ways of computing meet where one hands over to the other.
TEST(PassAtK, AgreesWithTheHypergeometricOnBothSidesOfTheExactLimit) {
    for (const int n : {55, 56, 57, 58}) {
        for (int c = 0; c <= n; ++c) {
            for (int k = 1; k <= n; ++k) {
                const auto p = hypergeometric(n, c, k);
                EXPECT_NEAR(pass_at_k(n, c, k), 1 - p.front(), 1e-12) << n << ' ' << c << ' ' << k;
                EXPECT_NEAR(pass_hat_k(n, c, k), p.back(), 1e-12 + 1e-10 * p.back()) << n << ' ' << c << ' ' << k;
            }
        }
    }
}

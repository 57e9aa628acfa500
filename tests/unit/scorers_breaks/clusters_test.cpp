#include "scorers/breaks/clusters.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay::breaks {
namespace {

TEST(Clusters, FindAnAgeThatMostShare) {
    const auto found = cluster_of({61, 12.5, 59.5, 60.2, 300, 60});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->seconds, 60.2);
    EXPECT_EQ(found->within, 4);
    EXPECT_EQ(found->of, 6);
}

TEST(Clusters, AreFourSecondsWideAtMost) {
    EXPECT_TRUE(cluster_of({58, 60, 62}));
    EXPECT_FALSE(cluster_of({58, 60, 62.01}));
}

TEST(Clusters, NeedThreeAndHalfOfAll) {
    EXPECT_FALSE(cluster_of({}));
    EXPECT_FALSE(cluster_of({60, 60}));
    EXPECT_TRUE(cluster_of({60, 60, 60, 20, 100, 200}));
    EXPECT_FALSE(cluster_of({60, 60, 60, 20, 100, 200, 400}));
}

TEST(Clusters, BelowTenSecondsAreNone) {
    EXPECT_FALSE(cluster_of({1, 1, 1, 1}));
    EXPECT_FALSE(cluster_of({1, 1, 1, 1, 60, 60, 60})) << "short ones count among all";
    EXPECT_TRUE(cluster_of({10, 10, 10}));
}

TEST(Clusters, TheDensestCountsAndOfEqualOnesTheEarliest) {
    EXPECT_EQ(cluster_of({300, 300, 300, 60, 60, 60, 60})->seconds, 60);
    EXPECT_EQ(cluster_of({300, 300, 300, 60, 60, 60})->seconds, 60);
}

TEST(Clusters, NumbersThatAreNoneAreInNoCluster) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(cluster_of({nan, nan, nan, nan}));
}

}  // namespace
}  // namespace assay::breaks

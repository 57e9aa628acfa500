#include "harness/loop/delay_histogram.hpp"

#include <gtest/gtest.h>

namespace assay::loop {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(DelayHistogram, IsZeroWhereNothingWasAdded) {
    const DelayHistogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.quantile_ms(0.99), 0.0);
}

TEST(DelayHistogram, QuantilesLieWithinTenPercentAbove) {
    DelayHistogram histogram;
    for (int i = 1; i <= 1000; ++i) histogram.add(microseconds(100 * i));
    for (const double q : {0.1, 0.5, 0.9, 0.99}) {
        const double exact = 100.0 * q;
        EXPECT_GE(histogram.quantile_ms(q), exact - 0.1) << q;
        EXPECT_LE(histogram.quantile_ms(q), exact * 1.10) << q;
    }
    EXPECT_EQ(histogram.max_ms(), 100.0);
}

TEST(DelayHistogram, CountsNegativeAndHugeDelays) {
    DelayHistogram histogram;
    histogram.add(milliseconds(-5));
    histogram.add(std::chrono::hours(100));
    EXPECT_EQ(histogram.count(), 2U);
    EXPECT_LE(histogram.quantile_ms(0.5), 0.001);
    EXPECT_GT(histogram.quantile_ms(1.0), 3.6e6);
}

}  // namespace
}  // namespace assay::loop

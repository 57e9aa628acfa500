#include "reports/terminal/numbers.hpp"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(Numbers, PrintPercentWithTwoDigits) {
    EXPECT_EQ(percent(2945.0 / 3168.0), "92.96");
    EXPECT_EQ(percent(0.012435426517, 2), "1.24");
    EXPECT_EQ(percent(0.89766, 1), "89.8");
    EXPECT_EQ(percent(1), "100.00");
}

TEST(Numbers, NeverRoundAPartToNoneOrToAll) {
    EXPECT_EQ(share(18, 3168), "0.57 %");
    EXPECT_EQ(share(0, 10), "0.00 %");
    EXPECT_EQ(share(10, 10), "100.00 %");
    EXPECT_EQ(share(1, 85'085'650'944), "< 0.01 %");
    EXPECT_EQ(share(85'085'650'943, 85'085'650'944), "> 99.99 %");
    EXPECT_EQ(share(0, 0), "-");
}

TEST(Numbers, GroupDigitsByThousands) {
    EXPECT_EQ(thousands(0), "0");
    EXPECT_EQ(thousands(999), "999");
    EXPECT_EQ(thousands(1000), "1,000");
    EXPECT_EQ(thousands(85'085'650'944), "85,085,650,944");
    EXPECT_EQ(thousands(-123456), "-123,456");
    EXPECT_EQ(thousands(-123), "-123");
}

TEST(Numbers, ShortenLargeCountsToThreeDigits) {
    EXPECT_EQ(compact(950), "950");
    EXPECT_EQ(compact(999.6), "1.00 k");
    EXPECT_EQ(compact(12345), "12.3 k");
    EXPECT_EQ(compact(99960), "100 k");
    EXPECT_EQ(compact(999'600), "1.00 M");
    EXPECT_EQ(compact(4'560'000), "4.56 M");
    EXPECT_EQ(compact(2.5e9), "2.50 G");
}

TEST(Numbers, PrintDurationsInTwoUnits) {
    EXPECT_EQ(duration(-3), "0 s");
    EXPECT_EQ(duration(59.4), "59 s");
    EXPECT_EQ(duration(59.6), "1 min 00 s");
    EXPECT_EQ(duration(125), "2 min 05 s");
    EXPECT_EQ(duration(3725), "1 h 02 min");
    EXPECT_EQ(duration(3 * 86400 + 4 * 3600), "3 d 04 h");
}

TEST(Numbers, PrintTimesInUtc) {
    EXPECT_EQ(utc_time(0), "1970-01-01 00:00:00 UTC");
    EXPECT_EQ(utc_time(1796000251.9), "2026-11-30 00:57:31 UTC");
    EXPECT_EQ(utc_time(1709210096), "2024-02-29 12:34:56 UTC");
}

TEST(Numbers, CountNouns) {
    EXPECT_EQ(counted(1, "question"), "1 question");
    EXPECT_EQ(counted(3168, "attempt"), "3,168 attempts");
}

}  // namespace
}  // namespace assay::reports

#include "runners/spelling.hpp"

#include <gtest/gtest.h>

namespace assay::runners {
namespace {

TEST(NearestName, FindsASlipOfAFewLetters) {
    const std::vector<std::string> flags{"--seeds", "--first-seed", "--max-tokens"};
    EXPECT_EQ(nearest_name("--seed", flags), "--seeds");
    EXPECT_EQ(nearest_name("--max-token", flags), "--max-tokens");
    EXPECT_EQ(nearest_name("--fist-sead", flags), "--first-seed");
}

TEST(NearestName, IsEmptyWhereNothingIsNear) {
    EXPECT_EQ(nearest_name("--verbose", {"--seeds", "--limit"}), "");
    EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace assay::runners

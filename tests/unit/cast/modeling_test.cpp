#include "datasets/cast/modeling.hpp"

#include <gtest/gtest.h>

namespace assay::cast {
namespace {

const std::string known =
    "class A:\n    def __init__(self):\n        self.head_dim = 128\n        self.num_heads = 96\n"
    "        self.A_log = torch.nn.Parameter(torch.log(torch.empty(\n"
    "            self.num_heads, dtype=torch.float32).uniform_(1, 16)))\n"
    "        self.dt_bias = None\n";

TEST(FixALog, ChangesTheOneLineAndShowsIt) {
    const auto fix = fix_a_log(known);
    ASSERT_TRUE(fix);
    EXPECT_EQ(fix->diff,
              "--- a/modeling_kimi_linear.py\n+++ b/modeling_kimi_linear.py\n@@ -3,5 +3,5 @@\n"
              "         self.head_dim = 128\n         self.num_heads = 96\n"
              "         self.A_log = torch.nn.Parameter(torch.log(torch.empty(\n"
              "-            self.num_heads, dtype=torch.float32).uniform_(1, 16)))\n"
              "+            self.head_dim, dtype=torch.float32).uniform_(1, 16)))\n"
              "         self.dt_bias = None\n");
    EXPECT_EQ(fix->text.size() + 1, known.size());
    EXPECT_FALSE(fix_a_log(fix->text)) << "a second time there is nothing to change";
}

TEST(FixALog, LeavesOtherFormsAlone) {
    std::string other = known;
    other.replace(other.find("16)))"), 5, "16)).view(1, 1, -1, 1))");
    EXPECT_FALSE(fix_a_log(other));
    EXPECT_FALSE(fix_a_log(known + known));
    EXPECT_FALSE(fix_a_log("self.head_dim"));
}

}  // namespace
}  // namespace assay::cast

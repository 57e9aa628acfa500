#include "runners/drivers/dispatch_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace assay::runners {
namespace {

std::vector<int> numbers(int count) {
    std::vector<int> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), 0);
    return result;
}

TEST(DispatchOrder, HoldsEveryAttemptOnce) {
    const auto order = dispatch_order(numbers(16), numbers(198));
    EXPECT_EQ(std::set<runs::AttemptKey>(order.begin(), order.end()).size(), 16U * 198U);
}

TEST(DispatchOrder, MoreSeedsAndAnotherLimitOnlyInsert) {
    const auto small = dispatch_order(numbers(8), numbers(50));
    auto large = dispatch_order(numbers(16), numbers(198));
    std::erase_if(large, [](const runs::AttemptKey& key) { return key.seed >= 8 || key.question >= 50; });
    EXPECT_EQ(small, large);
}

TEST(DispatchOrder, IsTheSameOnEveryMachine) {
    const auto order = dispatch_order(numbers(2), numbers(3));
    std::string text;
    for (const auto& key : order) text += std::to_string(key.seed) + "/" + std::to_string(key.question) + " ";
    EXPECT_EQ(text, "1/1 0/1 0/2 1/2 1/0 0/0 ");
}

TEST(DispatchOrder, MixesSeedsAndQuestions) {
    const auto order = dispatch_order(numbers(16), numbers(198));
    double seed_sum = 0;
    double question_sum = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        seed_sum += order[i].seed;
        question_sum += order[i].question;
    }
    EXPECT_NEAR(seed_sum / 400, 7.5, 1.0);
    EXPECT_NEAR(question_sum / 400, 98.5, 12.0);
}

TEST(DispatchOrderBySeed, FinishesEachSeedBeforeTheNextAndShufflesWithin) {
    const auto order = dispatch_order_by_seed({2, 0}, numbers(30));
    ASSERT_EQ(order.size(), 60U);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(order[i].seed, i < 30 ? 2 : 0);
    std::vector<int> asked;
    for (std::size_t i = 0; i < 30; ++i) asked.push_back(order[i].question);
    EXPECT_FALSE(std::is_sorted(asked.begin(), asked.end()));
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(asked, numbers(30));
}

}  // namespace
}  // namespace assay::runners

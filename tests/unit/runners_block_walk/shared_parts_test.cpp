#include "runners/drivers/shared_parts.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/support/temporary_folder.hpp"

namespace assay::runners {
namespace {

using ::testing::ElementsAre;

// The first of two ranks; whatever the other does before the first goes on after waiting for it.
class FirstOfTwo : public ranks::Ranks {
public:
    explicit FirstOfTwo(std::function<void()> other) : other_(std::move(other)) {}
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] int size() const noexcept override { return 2; }
    void wait_for_all() override { other_(); }
    [[nodiscard]] bool any(bool mine) override { return mine; }
    void end_job(int) override {}

private:
    std::function<void()> other_;
};

TEST(SharedParts, WhatADeadRankHadInHandIsKnownThoughAnotherFinishesItAtOnce) {
    const support::TemporaryFolder folder;
    const std::string claims = folder.path("claims");
    ranks::Claims dead(claims, "rank 1 of 2 that died");
    for (const char* part : {"begun", "done"}) ASSERT_TRUE(dead.take(part));

    std::set<std::string> done{"done"};
    FirstOfTwo ranks([&] {
        if (ranks::Claims(claims, "rank 1 of 2").take("begun")) done.insert("begun");
    });
    SharedParts shared(ranks, claims, [&](const std::string& part) { return done.contains(part); });
    ASSERT_TRUE(done.contains("begun")) << "its claim was still there when the ranks began";
    ASSERT_EQ(shared.left_over().size(), 1U);
    EXPECT_EQ(shared.left_over().front().part, "begun");
    EXPECT_EQ(shared.left_over().front().owner, "rank 1 of 2 that died");

    std::vector<std::size_t> worked;
    const bool whole = shared.spread({{"begun", 9}, {"small", 1}, {"large", 7}},
                                     [&](std::size_t part) { return worked.push_back(part), true; }, nullptr);
    EXPECT_TRUE(whole);
    EXPECT_THAT(worked, ElementsAre(2, 1)) << "largest first, and not what the other has";
}

}  // namespace
}  // namespace assay::runners

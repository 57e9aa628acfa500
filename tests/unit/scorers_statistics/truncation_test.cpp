#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scorers/statistics/budget_advice.hpp"
#include "scorers/statistics/truncation_losses.hpp"
#include "scorers/statistics/truncation_split.hpp"
#include "tests/unit/scorers_statistics/tables.hpp"

using namespace assay::statistics;

namespace {

std::vector<std::size_t> all_rows(const SeedTable& table) {
    std::vector<std::size_t> rows(table.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    return rows;
}

// One greedy pass at 16,384 tokens: 173 of 198 right and 19 cut. At 65,536: 190 right, nothing cut, the cut questions all
// right but one.
struct Fixture {
    SeedTable low;
    SeedTable high;
    Fixture() {
        std::vector<std::string> a(198, "0");
        std::vector<std::string> b(198, "0");
        for (std::size_t q = 0; q < 173; ++q) a[q] = "1";
        for (std::size_t q = 173; q < 192; ++q) a[q] = "t";
        for (std::size_t q = 0; q < 191; ++q) b[q] = q == 4 ? "0" : "1";
        low = tables::of(a);
        high = tables::of(b);
    }
};

TEST(TruncationSplit, GivesWhatFinishedRepliesAndTruncationContributed) {
    const Fixture fixture;
    const TruncationSplit split = truncation_split(fixture.low, fixture.high, all_rows(fixture.low));
    EXPECT_EQ(split.cut_a, 19);
    EXPECT_EQ(split.cut_b, 0);
    EXPECT_NEAR(split.by_finished + split.by_cut + split.by_rate, 17.0 / 198, 1e-15);
    EXPECT_NEAR(split.by_rate, 19.0 / 198 * (173.0 / 179 + 190.0 / 198) / 2, 1e-15);
    EXPECT_NEAR(split.by_finished, (1 - 19.0 / 396) * (190.0 / 198 - 173.0 / 179), 1e-15);
    EXPECT_EQ(split.by_cut, 0);
    EXPECT_EQ(split.questions_cut, 19);
    EXPECT_NEAR(split.on_cut_questions, 18.0 / 198, 1e-15);
    EXPECT_NEAR(split.on_other_questions, -1.0 / 198, 1e-15);
}

TEST(TruncationSplit, AddsUpToTheDifferenceForAnyTables) {
    const SeedTable a = tables::of({"1Tt0", "wwtT", "1110", "tttt"});
    const SeedTable b = tables::of({"1t", "T0", "11", "0w"});
    const TruncationSplit split = truncation_split(a, b, all_rows(a));
    const double difference = (1 + 1 + 2 + 0) / 8.0 - (2 + 1 + 3 + 0) / 16.0;
    EXPECT_NEAR(split.by_finished + split.by_cut + split.by_rate, difference, 1e-15);
    EXPECT_NEAR(split.on_cut_questions + split.on_other_questions, difference, 1e-15);
}

TEST(TruncationLosses, CountWhereRepliesWereCutAndWhatTheySaid) {
    SeedTable table = tables::of({"1Ttw", "1t0e", "11w1"});
    table.cell(1, 1).answer_begun = true;  // cut in its answer, before the letter
    const TruncationLosses losses = truncation_losses(table, {});
    EXPECT_EQ(losses.truncated, 5);
    EXPECT_EQ(losses.in_thinking, 1);
    EXPECT_EQ(losses.in_answer, 4);
    EXPECT_EQ(losses.with_letter, 3);
    EXPECT_EQ(losses.with_letter_right, 1);
    EXPECT_EQ(losses.without_letter, 2);
    EXPECT_DOUBLE_EQ(*losses.on_finished, 5.0 / 7);
    EXPECT_DOUBLE_EQ(losses.bounds->low, 6.0 / 12);
    EXPECT_DOUBLE_EQ(losses.bounds->high, 8.0 / 12);
    EXPECT_LE(losses.true_score->low, losses.bounds->low);
    EXPECT_GE(losses.true_score->high, losses.bounds->high);
    // Question 0: one cut of four, two of the other three right; question 1: one cut, one of three.
    EXPECT_DOUBLE_EQ(losses.recovery->recoverable, (2.0 / 3 + 1.0 / 3) / 12);
}

TEST(TruncationLosses, SuspectsRepliesThatFinishAtTheBudgetAndCutsBelowIt) {
    SeedTable table = tables::of({"11t", "10t"});
    const std::int64_t tokens[] = {1000, 400, 1000, 999, 1000, 512};
    for (std::size_t i = 0; i < 6; ++i) table.cells[i].completion_tokens = tokens[i];
    table.cells[2].completion_tokens = 700;
    const TruncationLosses losses = truncation_losses(table, 1000);
    EXPECT_EQ(losses.finished_at_budget, 2);
    EXPECT_EQ(losses.cut_below_budget, 2);
    EXPECT_EQ(losses.lowest_cut, 512);
    EXPECT_EQ(losses.highest_cut, 700);
    EXPECT_EQ(truncation_losses(table, {}).cut_below_budget, 0);
}

TEST(TruncationLosses, OfATableThatIsNotFullHaveNoEstimates) {
    const TruncationLosses losses = truncation_losses(tables::of({"1tu", "1t."}), {});
    EXPECT_EQ(losses.truncated, 2);
    EXPECT_DOUBLE_EQ(losses.bounds->high, 1);
    EXPECT_FALSE(losses.recovery);
    EXPECT_FALSE(losses.true_score);
    EXPECT_FALSE(truncation_losses(tables::of({"u", "."}), {}).bounds);
}

SeedTable lengths(int finished, int cut, std::int64_t budget) {
    SeedTable table = tables::of(std::vector<std::string>(static_cast<std::size_t>(finished), "1"));
    const SeedTable rest = tables::of(std::vector<std::string>(static_cast<std::size_t>(std::max(1, cut)), "t"));
    for (int i = 0; i < finished; ++i) table.cells[static_cast<std::size_t>(i)].completion_tokens = 10 * (i + 1);
    for (int i = 0; i < cut; ++i) {
        table.questions.push_back(finished + i);
        table.cells.push_back(rest.cells[static_cast<std::size_t>(i)]);
        table.cells.back().completion_tokens = budget;
    }
    return table;
}

TEST(BudgetAdvice, GivesTheShareLongerThanEachSmallerBudget) {
    const auto advice = budget_advice(lengths(90, 10, 1000), 0.5);  // 10, 20, .. 900, then ten of 1,000 and more
    ASSERT_TRUE(advice);
    ASSERT_EQ(advice->smaller.size(), 3U);
    EXPECT_EQ(advice->smaller[0].budget, 256);
    EXPECT_NEAR(advice->smaller[0].longer, 0.75, 1e-12);
    EXPECT_EQ(advice->smaller[1].budget, 512);
    EXPECT_NEAR(advice->smaller[1].longer, 0.49, 1e-12);
    EXPECT_EQ(advice->smaller[2].budget, 1000);
    EXPECT_NEAR(advice->smaller[2].longer, 0.10, 1e-12);
    EXPECT_EQ(advice->smallest, 500);
}

// A server's own limit: four cut at 200 of ten that reached it, and the rest finished at 300. The four are taken to end as those did.
TEST(BudgetAdvice, CountsRepliesCutBeforeTheLongestOnRecord) {
    SeedTable table = lengths(20, 4, 200);  // 10, 20, .. 200
    for (std::size_t i = 14; i < 20; ++i) table.cells[i].completion_tokens = 300;
    const auto advice = budget_advice(table, 0.5);
    EXPECT_EQ(advice->cut_short, 4);
    EXPECT_EQ(advice->smaller.front().budget, 256);
    EXPECT_NEAR(advice->smaller.front().longer, 10.0 / 24, 1e-12);
    EXPECT_EQ(budget_advice(lengths(90, 10, 1000), 0.5)->cut_short, 0);
}

TEST(BudgetAdvice, IsNotIdentifiedAboveTheBudgetUsed) {
    const auto advice = budget_advice(lengths(90, 10, 1000), 0.01);
    EXPECT_FALSE(advice->smallest);
    ASSERT_TRUE(advice->fitted);
    ASSERT_TRUE(advice->extrapolated);
    EXPECT_GT(*advice->extrapolated, 1000);
    EXPECT_NEAR(advice->fitted->share_longer_than(*advice->extrapolated), 0.01, 1e-6);
}

TEST(BudgetAdvice, DropsAnExtrapolationThatContradictsTheData) {
    const auto advice = budget_advice(lengths(90, 10, 100'000), 0.05);  // nothing between 900 and 100,000: replies that loop
    EXPECT_FALSE(advice->smallest);
    EXPECT_FALSE(advice->extrapolated && *advice->extrapolated <= 100'000);
}

TEST(BudgetAdvice, LeavesOutRepliesWithoutALengthAndSaysHowMany) {
    SeedTable table = lengths(5, 0, 0);
    table.cells[0].completion_tokens.reset();
    table.cells[1].state = CellState::filtered;
    table.cells[2].state = CellState::unscored;
    const auto advice = budget_advice(table, 0.1);
    EXPECT_EQ(advice->replies, 2);
    EXPECT_EQ(advice->left_out, 2);
    EXPECT_EQ(advice->without_score, 1);
    EXPECT_FALSE(budget_advice(tables::of({"1", "0"}), 0.1));
}

// 400 lengths at even steps of a Pareto distribution from 1,000 tokens on, cut at `budget`.
std::vector<Length> pareto_lengths(double alpha, std::int64_t budget) {
    std::vector<Length> lengths;
    for (int i = 0; i < 400; ++i) {
        const auto tokens = static_cast<std::int64_t>(1000 * std::pow(1 - (i + 0.5) / 400, -1 / alpha));
        lengths.push_back({std::min(tokens, budget), tokens < budget});
    }
    return lengths;
}

TEST(ParetoTail, FindsTheExponentOfCutLengths) {
    for (const double alpha : {0.8, 2.0}) {
        const auto tail = fit_pareto_tail(pareto_lengths(alpha, alpha < 1 ? 60'000 : 6'000));
        ASSERT_TRUE(tail);
        EXPECT_NEAR(tail->alpha, alpha, 0.1 * alpha);
        EXPECT_NEAR(tail->budget_for(0.001), 1000 * std::pow(0.001, -1 / alpha), 0.35 * 1000 * std::pow(0.001, -1 / alpha));
    }
}

TEST(ParetoTail, DoesNotDependOnTheOrderOfReplies) {
    auto lengths = pareto_lengths(1.5, 8'000);
    const auto forth = fit_pareto_tail(lengths);
    std::reverse(lengths.begin(), lengths.end());
    EXPECT_EQ(fit_pareto_tail(lengths)->alpha, forth->alpha);
}

TEST(ParetoTail, IsAbsentWhereTooFewOfTheLongestFinished) {
    EXPECT_FALSE(fit_pareto_tail(pareto_lengths(1, 2'000)));  // half are cut
    std::vector<Length> few = pareto_lengths(1, 100'000);
    few.resize(60);
    EXPECT_FALSE(fit_pareto_tail(few));
}

TEST(BudgetAdvice, ExtrapolatesByAHeavyTailBesideTheLognormal) {
    SeedTable table = tables::of(std::vector<std::string>(100, "1111"));
    const auto lengths = pareto_lengths(1.0, 40'000);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        table.cells[i].completion_tokens = lengths[i].tokens;
        if (!lengths[i].finished) table.cells[i].state = CellState::truncated;
    }
    const auto advice = budget_advice(table, 0.001);
    ASSERT_TRUE(advice && !advice->smallest && advice->extrapolated && advice->extrapolated_by_tail);
    EXPECT_NEAR(*advice->extrapolated_by_tail, 1'000'000, 400'000);
    EXPECT_LT(*advice->extrapolated, *advice->extrapolated_by_tail);
}

}  // namespace

#include <gtest/gtest.h>

#include "scorers/statistics/disagreements.hpp"
#include "scorers/statistics/greedy_seed.hpp"
#include "scorers/statistics/seed_agreement.hpp"
#include "tests/unit/scorers_statistics/tables.hpp"

using namespace assay::statistics;

namespace {

// The published counts, in a table whose columns have these sums.
TEST(GreedySeed, LiesThreePointTwoFourSdAboveTheOtherFifteenPublishedSeeds) {
    const auto greedy = greedy_seed(tables::of(tables::fixture_rows("A")), 0);
    ASSERT_TRUE(greedy);
    EXPECT_EQ(greedy->correct, 190);
    EXPECT_EQ(greedy->sampled_seeds, 15);
    EXPECT_NEAR(*greedy->distance_sd, 3.24, 0.01);
    EXPECT_NEAR(100 * greedy->sampled_mean, 92.761, 0.0005);
    EXPECT_NEAR(100 * greedy->sampled_sd, 0.986, 0.0005);
}

TEST(GreedySeed, AgreesWithThePredictionAndWithinQuestionGoldenValues) {
    const auto greedy = greedy_seed(tables::of(tables::fixture_rows("A")), 0);
    const auto prediction = tables::expected("greedy_vs_sampled_prediction");
    const auto within = tables::expected("fixture_A_seed0_vs_rest");
    EXPECT_NEAR(greedy->prediction->t, prediction["t"].get<double>(), 1e-10);
    EXPECT_NEAR(greedy->prediction->p_two_sided, prediction["p_two_sided"].get<double>(), 1e-12);
    EXPECT_NEAR(greedy->prediction->rank_p_two_sided, prediction["perm_p_two_sided"].get<double>(), 1e-12);
    EXPECT_NEAR(greedy->expected.low, prediction["pi_lo"].get<double>(), 1e-10);
    EXPECT_NEAR(greedy->expected.high, prediction["pi_hi"].get<double>(), 1e-10);
    EXPECT_NEAR(greedy->within_questions.p_two_sided, within["p_two_sided_dist"].get<double>(), 1e-10);
}

TEST(GreedySeed, IsAbsentWhereItCannotBeSetAgainstTwoScoredSeeds) {
    EXPECT_FALSE(greedy_seed(tables::of({"110", "101"}), 7));
    EXPECT_FALSE(greedy_seed(tables::of({"11", "10"}), 0));
    EXPECT_FALSE(greedy_seed(tables::of({"11u", "101"}), 0));
}

TEST(GreedySeed, HasNoDistanceFromSeedsThatAreAllAlike) {
    const auto greedy = greedy_seed(tables::of({"111", "011"}), 0);
    ASSERT_TRUE(greedy);
    EXPECT_FALSE(greedy->distance_sd);
    EXPECT_FALSE(greedy->prediction);
}

TEST(SeedAgreement, GivesTheGoldenFlipRateAndCochranQ) {
    const SeedAgreement seeds = seed_agreement(tables::of(tables::fixture_rows("A")), {});
    const auto golden = tables::expected("fixture_A");
    EXPECT_NEAR(seeds.agreement->flip_rate, golden["flip_rate"].get<double>(), 1e-12);
    EXPECT_NEAR(seeds.cochran->q, golden["cochran_q"].get<double>(), 1e-9);
    EXPECT_NEAR(seeds.cochran->p, golden["cochran_p"].get<double>(), 1e-9);
    EXPECT_NEAR(*seeds.p_as_alike, 1 - golden["cochran_p"].get<double>(), 1e-9);
}

TEST(SeedAgreement, LeavesTheGreedySeedOut) {
    const SeedAgreement seeds = seed_agreement(tables::of({"0111", "0000", "0110"}), 0);
    EXPECT_EQ(seeds.sampled_seeds, 3);
    EXPECT_DOUBLE_EQ(seeds.agreement->flip_rate, (0.0 + 0.0 + 2.0 / 3) / 3);
}

TEST(SeedAgreement, FindsASeedThatDiffersAsAWholeRun) {
    std::vector<std::string> rows(60, "1111");
    for (std::size_t q = 0; q < 15; ++q) rows[q] = "1110";  // the last seed fails where the others do not
    rows[20] = "0111";
    const SeedAgreement seeds = seed_agreement(tables::of(rows), {});
    EXPECT_LT(seeds.cochran->p, 1e-6);
}

TEST(SeedAgreement, FindsSeedsThatAreMoreAlikeThanSamplesCanBe) {
    std::vector<std::string> rows;  // every seed right on half of the questions, never by chance
    for (int q = 0; q < 60; ++q) rows.push_back(q % 2 == 0 ? "1010101010101010" : "0101010101010101");
    const SeedAgreement seeds = seed_agreement(tables::of(rows), {});
    EXPECT_LT(*seeds.p_as_alike, 1e-6);
    EXPECT_GT(seeds.cochran->p, 0.999);
}

TEST(SeedAgreement, NamesThePairOfSeedsWithTheMostEqualReplies) {
    SeedTable table = tables::of({"111", "111", "101", "1u1"});
    for (std::size_t q = 0; q < 4; ++q) {
        for (std::size_t s = 0; s < 3; ++s) table.cell(q, s).digest = 100 * q + s + 1;
        if (q != 1) table.cell(q, 2).digest = table.cell(q, 0).digest;
    }
    const SeedAgreement seeds = seed_agreement(table, {});
    EXPECT_EQ(seeds.copies, 3);
    EXPECT_EQ(seeds.texts, 11);  // an unscored cell's text is none
    ASSERT_TRUE(seeds.most_alike);
    EXPECT_EQ(seeds.most_alike->first, 0);
    EXPECT_EQ(seeds.most_alike->second, 2);
    EXPECT_EQ(seeds.most_alike->same, 3);
    EXPECT_EQ(seeds.most_alike->of, 4);
}

TEST(SeedAgreement, TakesCellsWithoutTextForNoCopies) {
    const SeedAgreement seeds = seed_agreement(tables::of({"ee", "ee"}), {});
    EXPECT_EQ(seeds.copies, 0);
    EXPECT_FALSE(seeds.most_alike);
}

TEST(Disagreements, AreScoredCellsThatAreReadDifferentlyInOrderOfSeedThenQuestion) {
    std::vector<SeedTable> readings(2, tables::of({"11", "1u", "1."}));
    readings[1].cell(1, 0).prediction = "C";
    readings[1].cell(0, 1).prediction.reset();
    readings[1].cell(2, 0).prediction = "C";
    EXPECT_EQ(disagreements(readings), (std::vector<std::size_t>{2, 4, 1}));
    EXPECT_TRUE(disagreements(std::span(readings).first(1)).empty());
}

}  // namespace

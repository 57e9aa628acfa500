#include "scorers/statistics/run_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scorers/statistics/excess_flips_test.hpp"
#include "scorers/statistics/gate.hpp"
#include "scorers/statistics/published_comparison.hpp"
#include "tests/unit/scorers_statistics/tables.hpp"

using namespace assay::statistics;

namespace {

SeedTable fixture(const char* name) { return tables::of(tables::fixture_rows(name)); }

SeedTable repeated(const std::string& row, std::size_t questions) { return tables::of(std::vector<std::string>(questions, row)); }

std::optional<Gate> gate_of(const SeedTable& a, const SeedTable& b, double margin) { return gate_with_unscored(a, b, margin); }

TEST(CompareRuns, AgreesWithTheGoldenValuesOfTwoTables) {
    const auto c = compare_runs(fixture("A"), fixture("B"));
    const auto golden = tables::expected("fixture_B_minus_A");
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->difference, golden["diff"].get<double>(), 1e-14);
    EXPECT_NEAR(c->over_questions->error, golden["se_question"].get<double>(), 1e-12);
    EXPECT_NEAR(c->this_test->error, golden["se_fixed"].get<double>(), 1e-12);
    EXPECT_NEAR(*c->omega2, golden["omega2"].get<double>(), 1e-12);
    EXPECT_NEAR(c->sign_flip.p_two_sided, golden["signflip_exact_two_sided"].get<double>(), 1e-9);
    EXPECT_NEAR(c->sign_flip.p_greater, golden["signflip_exact_p_B_greater"].get<double>(), 1e-9);
    EXPECT_EQ(c->within->observed, golden["strat_perm"]["obs"].get<int>());
    EXPECT_NEAR(c->within->p_two_sided, golden["strat_perm"]["p_two_sided_dist"].get<double>(), 1e-9);
    EXPECT_NEAR(c->flips->cross, golden["cross_flip"].get<double>(), 1e-12);
    EXPECT_NEAR(c->flips->excess, golden["excess_flip"].get<double>(), 1e-12);
}

TEST(CompareRuns, OfSingleRunsGivesMcNemarsTest) {
    const auto rows_a = tables::fixture_rows("A");
    const auto rows_b = tables::fixture_rows("B");
    std::vector<std::string> a;
    std::vector<std::string> b;
    for (const auto& row : rows_a) a.push_back(row.substr(0, 1));
    for (const auto& row : rows_b) b.push_back(row.substr(0, 1));
    const auto c = compare_runs(tables::of(a), tables::of(b));
    EXPECT_NEAR(c->mcnemar->p_two_sided, tables::expected("fixture_single_run_mcnemar")["p"].get<double>(), 1e-12);
    EXPECT_FALSE(c->this_test);
    EXPECT_FALSE(c->detectable);
}

TEST(CompareRuns, UsesRatesWhereTheNumbersOfSeedsDiffer) {
    const auto c = compare_runs(tables::of({"1111", "1100", "0000"}), tables::of({"11", "11", "01"}));
    EXPECT_NEAR(c->difference, (0 + 0.5 + 0.5) / 3, 1e-15);
    EXPECT_NEAR(c->score_a, 0.5, 1e-15);
    EXPECT_NEAR(c->score_b, 5.0 / 6, 1e-15);
    ASSERT_EQ(c->moved.size(), 2U);
    EXPECT_EQ(c->moved[0].row, 1U);
}

TEST(CompareRuns, BorrowsTheSpreadOfTheOtherRunForASingleSeed) {
    const auto c = compare_runs(fixture("A"), tables::of([] {
                                    std::vector<std::string> first;
                                    for (const auto& row : tables::fixture_rows("B")) first.push_back(row.substr(0, 1));
                                    return first;
                                }()));
    EXPECT_TRUE(c->within_borrowed);
    EXPECT_DOUBLE_EQ(*c->within_a, *c->within_b);
    EXPECT_NEAR(c->this_test->error, std::sqrt(*c->within_a * (1 + 1.0 / 16) / 198), 1e-12);
}

TEST(CompareRuns, LeavesOutQuestionsWithAnAttemptWithoutAScoreAndListsThem) {
    const auto c = compare_runs(tables::of({"11", "1u", "10", "00"}), tables::of({"1.", "11", "10", "01"}));
    EXPECT_EQ(c->rows, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(c->left_out, (std::vector<std::size_t>{0, 1}));
    EXPECT_NEAR(c->difference, 0.25, 1e-15);
    EXPECT_FALSE(compare_runs(tables::of({"u", "1"}), tables::of({"1", "1"})));
}

// Every way to deal each question's answers to two runs, weighed alike.
double excess_p_by_enumeration(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, std::int64_t k) {
    const double observed = excess_flips(a, k, b, k).excess;
    const auto ways = [](std::int64_t n, std::int64_t c) {
        double w = 1;
        for (std::int64_t i = 0; i < c; ++i) w = w * static_cast<double>(n - i) / static_cast<double>(i + 1);
        return w;
    };
    double hits = 0;
    double all = 0;
    std::vector<std::int64_t> x(a.size());
    std::vector<std::int64_t> y(a.size());
    const auto deal = [&](const auto& self, std::size_t q, double weight) -> void {
        if (q == a.size()) {
            all += weight;
            if (excess_flips(x, k, y, k).excess >= observed - 1e-12) hits += weight;
            return;
        }
        const std::int64_t right = a[q] + b[q];
        for (std::int64_t c = std::max<std::int64_t>(0, right - k); c <= std::min(right, k); ++c) {
            x[q] = c;
            y[q] = right - c;
            self(self, q + 1, weight * ways(k, c) * ways(k, right - c));
        }
    };
    deal(deal, 0, 1);
    return hits / all;
}

TEST(ExcessFlipsP, AgreesWithDealingTheAnswersInEveryWay) {
    const std::vector<std::vector<std::int64_t>> as{{4, 0, 2, 3}, {4, 4, 4, 1}, {2, 2, 2, 2}, {1, 0, 4, 3}};
    const std::vector<std::vector<std::int64_t>> bs{{0, 4, 2, 3}, {4, 3, 1, 0}, {2, 2, 2, 2}, {3, 2, 1, 4}};
    for (std::size_t i = 0; i < as.size(); ++i) {
        EXPECT_NEAR(excess_flips_p(as[i], bs[i], 4), excess_p_by_enumeration(as[i], bs[i], 4), 1e-12) << i;
    }
}

TEST(Gate, PassesWhereTheLowerBoundLiesAboveTheMargin) {
    const auto golden = tables::expected("fixture_B_minus_A");
    const auto g = gate_of(fixture("A"), fixture("B"), 0.02);
    EXPECT_EQ(g->verdict, GateVerdict::pass);
    EXPECT_NEAR(g->lower, golden["lower95_super"].get<double>(), 1e-12);  // the wider of the two errors
    EXPECT_NEAR(g->upper, golden["ci90_super"][1].get<double>(), 1e-12);
    EXPECT_EQ(gate_of(fixture("A"), fixture("B"), 0.01)->verdict, GateVerdict::inconclusive);
}

TEST(Gate, FailsARunThatIsRightOnceWhereTheOtherIsRightSixteenTimes) {
    const auto g = gate_of(repeated("1111111111111111", 198), repeated("1000000000000000", 198), 0.02);
    EXPECT_EQ(g->verdict, GateVerdict::fail);
    EXPECT_EQ(gate_of(repeated("11", 5), repeated("00", 5), 0.02)->verdict, GateVerdict::fail);
}

TEST(Gate, HasBoundsThatADifferenceOfScoresCanReach) {
    std::vector<std::string> mostly(10, "000");
    mostly.front() = "111";
    const auto g = gate_of(repeated("111", 10), tables::of(mostly), 0.02);
    EXPECT_EQ(g->verdict, GateVerdict::fail);
    EXPECT_EQ(g->lower, -1);
    EXPECT_LE(g->upper, 1);
}

TEST(Gate, DoesNotPassEqualTablesThatAreTooSmallToShowTheMargin) {
    EXPECT_EQ(gate_of(repeated("1111", 198), repeated("1111", 198), 0.02)->verdict, GateVerdict::pass);
    EXPECT_EQ(gate_of(repeated("1111", 198), repeated("1111", 198), 0.01)->verdict, GateVerdict::inconclusive);
    const auto small = gate_of(repeated("1111", 20), repeated("1111", 20), 0.02);
    EXPECT_EQ(small->verdict, GateVerdict::inconclusive);
    EXPECT_EQ(small->limit, GateLimit::unseen);
    EXPECT_NEAR(small->unseen, 1 - std::pow(0.05, 1.0 / 20), 1e-12);
    EXPECT_FALSE(small->more_seeds_b);
    EXPECT_FALSE(small->more_seeds_both);
}

TEST(Gate, SaysHowManyFurtherSeedsWouldDecideAndTheyDo) {
    std::vector<std::string> rows;  // half-right questions, alike in both runs
    for (int q = 0; q < 198; ++q) rows.push_back(q % 2 == 0 ? "10" : "01");
    const auto g = gate_of(tables::of(rows), tables::of(rows), 0.02);
    ASSERT_EQ(g->verdict, GateVerdict::inconclusive);
    ASSERT_TRUE(g->more_seeds_both);
    EXPECT_FALSE(g->more_seeds_b);  // A's two seeds leave too much open
    const auto seeds = static_cast<std::size_t>(2 + *g->more_seeds_both);
    std::vector<std::string> longer;
    for (std::size_t q = 0; q < 198; ++q) {
        std::string row;
        for (std::size_t s = 0; s < seeds; ++s) row += s % 2 == q % 2 ? '1' : '0';
        longer.push_back(row);
    }
    // Half right again: W is p(1-p) n/(n-1), so somewhat below that of two seeds.
    EXPECT_EQ(gate_of(tables::of(longer), tables::of(longer), 0.02)->verdict, GateVerdict::pass);
}

TEST(Gate, IsUndecidedWhereAttemptsWithoutAScoreCouldTurnIt) {
    SeedTable b = fixture("A");
    for (std::size_t q = 0; q < 30; ++q) b.cell(q, 0).state = CellState::unscored;
    const auto g = gate_of(fixture("A"), b, 0.002);
    EXPECT_EQ(g->unscored, 30);
    EXPECT_EQ(g->verdict, GateVerdict::inconclusive);
    SeedTable one_hole = fixture("A");
    one_hole.cell(3, 0).state = CellState::unscored;
    EXPECT_EQ(gate_of(fixture("A"), one_hole, 0.02)->verdict, GateVerdict::pass);
    SeedTable lost = repeated("0000", 198);
    lost.cell(0, 0).state = CellState::missing;
    EXPECT_EQ(gate_of(repeated("1111", 198), lost, 0.02)->verdict, GateVerdict::fail);
}

TEST(ComparePublished, IsWelchsTestOnSeedMeans) {
    const std::vector<std::int64_t> published{190, 185, 182, 181, 184, 185, 180, 186, 183, 181, 186, 183, 184, 186, 185, 184};
    const std::vector<std::int64_t> run{180, 181, 183, 182};
    const auto c = compare_with_published(run, published, 198);
    EXPECT_NEAR(c.difference, (181.5 - 184.0625) / 198, 1e-14);
    EXPECT_NEAR(c.estimate->error, std::sqrt(1.6666666666666667 / 4 + 6.0625 / 16) / 198, 1e-12);
    EXPECT_EQ(gate_published(c, 4, 16, 0.03).verdict, GateVerdict::pass);
    EXPECT_EQ(gate_published(c, 4, 16, 0.01).verdict, GateVerdict::inconclusive);
    EXPECT_EQ(gate_published(c, 4, 16, 0.002).verdict, GateVerdict::fail);
}

TEST(ComparePublished, DoesNotPassOnSeedsThatDoNotVary) {
    const std::vector<std::int64_t> same{184, 184, 184};
    const auto c = compare_with_published(same, same, 198);
    EXPECT_FALSE(c.estimate);
    const Gate g = gate_published(c, 3, 3, 0.02);
    EXPECT_EQ(g.verdict, GateVerdict::inconclusive);
    EXPECT_EQ(g.limit, GateLimit::constant);
}

TEST(ComparePublished, PutsASingleSeedIntoThePredictionIntervalOfTheOthers) {
    const std::vector<std::int64_t> published{185, 182, 181, 184, 185, 180, 186, 183, 181, 186, 183, 184, 186, 185, 184};
    const std::vector<std::int64_t> run{190};
    const auto c = compare_with_published(run, published, 198);
    EXPECT_NEAR(*c.p_two_sided, tables::expected("greedy_vs_sampled_prediction")["p_two_sided"].get<double>(), 1e-10);
    EXPECT_FALSE(compare_with_published(run, run, 198).estimate);
}

}  // namespace

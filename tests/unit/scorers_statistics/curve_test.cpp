#include "scorers/statistics/curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scorers/statistics/cluster_error.hpp"
#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/g_pass_at_k.hpp"
#include "scorers/statistics/pass_at_k.hpp"
#include "scorers/statistics/philox.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/summary.hpp"
#include "tests/unit/scorers_statistics/tables.hpp"

using namespace assay::statistics;

namespace {

// Answers of many kinds: "A" is right, '-' is no answer, the rest wrong; from easy questions to hard ones.
SeedTable with_letters(std::size_t questions, std::size_t seeds) {
    SeedTable table = tables::of(std::vector<std::string>(questions, std::string(seeds, '0')));
    const Draws draws(7, 0, 0);
    std::uint32_t draw = 0;
    const std::string letters = "AAAABCD-";
    for (std::size_t q = 0; q < questions; ++q) {
        const std::size_t kinds = 1 + draws.index(draw++, letters.size());
        for (std::size_t s = 0; s < seeds; ++s) {
            const char letter = letters[(q % 3 == 0 ? 8 - kinds : 0) + draws.index(draw++, kinds)];
            Cell& cell = table.cell(q, s);
            cell.correct = letter == 'A';
            cell.prediction.reset();
            if (letter != '-') cell.prediction = std::string(1, letter);
        }
    }
    return table;
}

// By enumeration of what each question's draws can hold.
ExpectedMajority question_by_question(const SeedTable& table, int k) {
    ExpectedMajority mean;
    const std::string letters = "ABCD-";
    for (std::size_t q = 0; q < table.rows(); ++q) {
        std::vector<int> counts(letters.size(), 0);
        for (const Cell& cell : row_of(table, q)) ++counts[letters.find(cell.prediction ? (*cell.prediction)[0] : '-')];
        const ExpectedMajority one = expected_majority(counts, 0, 4, k);
        mean.uniform += one.uniform / static_cast<double>(table.rows());
        mean.pessimistic += one.pessimistic / static_cast<double>(table.rows());
        mean.optimistic += one.optimistic / static_cast<double>(table.rows());
    }
    return mean;
}

}  // namespace

TEST(Curve, ExpectsTheMajorityThatEnumerationQuestionByQuestionGives) {
    const SeedTable table = with_letters(30, 12);
    const std::vector<AtK> points = curve(table);
    for (int k = 2; k <= 12; ++k) {
        const ExpectedMajority slow = question_by_question(table, k);
        const ExpectedMajority& fast = *points[static_cast<std::size_t>(k - 1)].expected_majority;
        EXPECT_NEAR(fast.uniform, slow.uniform, 1e-13) << k;
        EXPECT_NEAR(fast.pessimistic, slow.pessimistic, 1e-13) << k;
        EXPECT_NEAR(fast.optimistic, slow.optimistic, 1e-13) << k;
    }
}

TEST(Curve, MajorityOfAllSeedsIsTheFirstKsMajorityOfAllSeeds) {
    const SeedTable table = with_letters(60, 9);
    const std::vector<AtK> points = curve(table);
    EXPECT_NEAR(points.back().expected_majority->uniform, *points.back().majority_at_k, 1e-14);
    EXPECT_LT(points.back().expected_majority->pessimistic, points.back().expected_majority->optimistic);  // there were ties
}

TEST(Curve, IsTheSameToTheLastBitInWhateverOrderQuestionsAndSeedsStand) {
    const SeedTable table = with_letters(50, 16);
    SeedTable other = table;
    for (std::size_t q = 0; q < table.rows(); ++q) {
        for (std::size_t s = 0; s < table.columns(); ++s) other.cell(table.rows() - 1 - q, (s + 5) % 16) = table.cell(q, s);
    }
    const std::vector<AtK> a = curve(table);
    const std::vector<AtK> b = curve(other);
    for (std::size_t k = 0; k < 16; ++k) {
        EXPECT_EQ(a[k].pass_at_k, b[k].pass_at_k);
        EXPECT_EQ(a[k].pass_hat_k, b[k].pass_hat_k);
        EXPECT_EQ(a[k].g_pass_half, b[k].g_pass_half);
        EXPECT_EQ(a[k].g_pass_three_quarters, b[k].g_pass_three_quarters);
        EXPECT_EQ(a[k].mg_pass_at_k, b[k].mg_pass_at_k);
        EXPECT_EQ(k > 0 ? a[k].expected_majority->uniform : 0, k > 0 ? b[k].expected_majority->uniform : 0);
    }
}

TEST(Curve, IsTheMeanOfEachQuestionsFiguresOnBothSidesOfTheExactLimit) {
    for (const std::size_t seeds : {16U, 60U}) {
        const SeedTable table = with_letters(25, seeds);
        const std::vector<AtK> points = curve(table);
        const auto n = static_cast<std::int64_t>(seeds);
        for (std::int64_t k = 1; k <= n; k += 3) {
            double pass = 0;
            double hat = 0;
            double half = 0;
            double three_quarters = 0;
            double mean = 0;
            for (std::size_t q = 0; q < 25; ++q) {
                const auto cells = row_of(table, q);
                const auto c = std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.correct; });
                pass += pass_at_k(n, c, k) / 25;
                hat += pass_hat_k(n, c, k) / 25;
                half += g_pass_at_k(n, c, k, std::max<std::int64_t>(1, (k + 1) / 2)) / 25;
                three_quarters += g_pass_at_k(n, c, k, (3 * k + 3) / 4) / 25;
                mean += mg_pass_at_k(n, c, k) / 25;
            }
            const AtK& at = points[static_cast<std::size_t>(k - 1)];
            EXPECT_NEAR(at.pass_at_k, pass, 1e-12) << k;
            EXPECT_NEAR(at.pass_hat_k, hat, 1e-12) << k;
            EXPECT_NEAR(at.g_pass_half, half, 1e-12) << k;
            EXPECT_NEAR(at.g_pass_three_quarters, three_quarters, 1e-12) << k;
            EXPECT_NEAR(at.mg_pass_at_k, mean, 1e-12) << k;
            EXPECT_EQ(at.expected_majority.has_value(), k > 1 && seeds <= most_seeds_of_expected_majority);
        }
    }
}

TEST(Curve, CountsATruncatedCellByItsLetterAndLetsAnEmptyOneNotVote) {
    const std::vector<AtK> points = curve(tables::of({"Tte", "www"}));
    EXPECT_EQ(points[2].pass_at_k, 0.5);
    EXPECT_EQ(points[2].pass_hat_k, 0);
    EXPECT_EQ(points[2].expected_majority->uniform, 0.5);  // one vote, and it is right
}

TEST(StratifiedInterval, HasTheStratifiedErrorOfTheFixture) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    const auto rows = tables::fixture_rows("A");
    const auto domain = file["fixtures"]["domain"].get<std::vector<int>>();
    std::vector<std::int64_t> correct;
    std::vector<double> shares;
    for (const std::string& row : rows) {
        correct.push_back(std::count(row.begin(), row.end(), '1'));
        shares.push_back(static_cast<double>(correct.back()) / 16);
    }
    const auto fixed = stratified_interval(correct, domain, 16, 0.95);
    ASSERT_TRUE(fixed);
    const StratifiedError error = stratified_error(shares, domain);
    EXPECT_NEAR(fixed->n_eff, error.mean * (1 - error.mean) / (error.error * error.error), 1e-9 * fixed->n_eff);
    EXPECT_GT(fixed->interval.high, error.mean);
    EXPECT_LT(fixed->interval.low, error.mean);
}

TEST(StratifiedInterval, NeedsTwoStrataOfTwoQuestionsEach) {
    const std::vector<std::int64_t> correct{1, 2, 0, 2};
    EXPECT_FALSE(stratified_interval(correct, std::vector<int>{0, 0, 0, 0}, 2, 0.95));
    EXPECT_FALSE(stratified_interval(correct, std::vector<int>{0, 0, 0, 1}, 2, 0.95));
    EXPECT_TRUE(stratified_interval(correct, std::vector<int>{0, 0, 1, 1}, 2, 0.95));
}

TEST(Summarize, HoldsDomainsFixedOnlyWhereEveryQuestionHasOne) {
    SeedTable table = tables::of({"11", "10", "01", "00"});
    table.domains = {"x", "x", "y", "y"};
    EXPECT_TRUE(summarize(table).domains_fixed);
    table.domains[3].clear();
    EXPECT_FALSE(summarize(table).domains_fixed);
}

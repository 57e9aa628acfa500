#include "scorers/statistics/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "scorers/statistics/binomial_interval.hpp"

using namespace assay::statistics;

namespace {

SeedTable table_of(std::size_t questions, std::size_t seeds) {
    SeedTable table;
    for (std::size_t s = 0; s < seeds; ++s) table.seeds.push_back(static_cast<int>(s));
    for (std::size_t q = 0; q < questions; ++q) table.questions.push_back(static_cast<int>(q));
    table.domains.resize(questions);
    table.subdomains.resize(questions);
    table.cells.resize(questions * seeds);
    return table;
}

void answer(Cell& cell, bool right, CellState state = CellState::complete) {
    cell.state = state;
    cell.correct = right;
    cell.prediction = right ? "A" : "B";
}

// Rows of '1' (right), '0' (wrong), 't' / 'T' (cut without and with the right letter), 'e' (empty), 'u' (unscored), '.' (missing).
SeedTable table_of(const std::vector<std::string>& rows) {
    SeedTable table = table_of(rows.size(), rows.front().size());
    for (std::size_t q = 0; q < rows.size(); ++q) {
        for (std::size_t s = 0; s < rows[q].size(); ++s) {
            Cell& cell = table.cell(q, s);
            switch (rows[q][s]) {
                case '1': answer(cell, true); break;
                case '0': answer(cell, false); break;
                case 'T': answer(cell, true, CellState::truncated); break;
                case 't': cell.state = CellState::truncated; break;
                case 'e': cell.state = CellState::empty; break;
                case 'u': cell.state = CellState::unscored; cell.why = "timeout"; break;
                default: break;
            }
        }
    }
    return table;
}

SeedTable fixture(const char* name) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    SeedTable table = table_of(file["fixtures"][name].get<std::vector<std::string>>());
    for (std::size_t q = 0; q < table.rows(); ++q) {
        table.domains[q] = "domain " + std::to_string(file["fixtures"]["domain"][q].get<int>());
        table.subdomains[q] = "subdomain " + std::to_string(file["fixtures"]["subdomain"][q].get<int>());
    }
    return table;
}

nlohmann::json expected(const char* id) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    for (const auto& c : file["cases"]) {
        if (c["id"] == id) return c["expect"];
    }
    return {};
}

}  // namespace

// The published seeds of Kimi-K3: 92.96 %, sd 1.24.
TEST(Summarize, GivesThePublishedScoreForThePublishedSeedCounts) {
    const std::vector<int> counts{190, 185, 182, 181, 184, 185, 180, 186, 183, 181, 186, 183, 184, 186, 185, 184};
    SeedTable table = table_of(198, counts.size());
    for (std::size_t s = 0; s < counts.size(); ++s) {
        for (std::size_t q = 0; q < 198; ++q) answer(table.cell(q, s), static_cast<int>(q) < counts[s]);
    }
    const Summary summary = summarize(table);
    EXPECT_TRUE(summary.full);
    EXPECT_EQ(summary.total.correct, 2945);
    EXPECT_NEAR(100 * *summary.pass_at_1, 92.96, 0.005);
    EXPECT_NEAR(100 * *summary.seed_sd, 1.24, 0.005);
    EXPECT_NEAR(*summary.seed_se, 0.003108856629354831, 1e-15);
    EXPECT_NEAR(summary.this_test->low, 0.9229822148087384, 1e-12);
    EXPECT_NEAR(summary.this_test->high, 0.9362349569084333, 1e-12);
    for (std::size_t s = 0; s < counts.size(); ++s) EXPECT_EQ(summary.per_seed[s].counts.correct, counts[s]);
}

TEST(Summarize, ReproducesTheFixture) {
    const Summary summary = summarize(fixture("A"));
    const auto e = expected("fixture_A");
    EXPECT_NEAR(*summary.pass_at_1, e["avg_at_16"].get<double>(), 1e-14);
    EXPECT_NEAR(*summary.standard_error_questions, e["question_se"].get<double>(), 1e-12);
    EXPECT_NEAR(summary.over_questions->low, e["wilson_neff"]["lo"].get<double>(), 1e-12);
    EXPECT_NEAR(summary.over_questions->high, e["wilson_neff"]["hi"].get<double>(), 1e-12);
    EXPECT_NEAR(*summary.seed_sd, e["seed_sd"].get<double>(), 1e-13);
    ASSERT_EQ(summary.at_k.size(), 16U);
    for (const int k : {1, 2, 4, 8, 16}) {
        EXPECT_NEAR(summary.at_k[static_cast<std::size_t>(k - 1)].pass_at_k, e["pass_at"][std::to_string(k)].get<double>(), 1e-12);
    }
    EXPECT_EQ(summary.never_solved, e["n_always_wrong"].get<int>());
    EXPECT_EQ(summary.unstable, e["n_unstable"].get<int>());
    ASSERT_EQ(summary.per_domain.size(), 3U);
    for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_NEAR(*summary.per_domain[d].counts.score(), e["domain_means"][d].get<double>(), 1e-14);
        EXPECT_TRUE(summary.per_domain[d].over_questions);
    }
    EXPECT_EQ(summary.per_domain[0].questions, 86);
    EXPECT_EQ(summary.per_subdomain.size(), e["n_subdomains"].get<std::size_t>());
}

TEST(Summarize, OfOneSeedIsPlainWilsonOnTheQuestions) {
    std::vector<std::string> rows(198, "0");
    std::fill_n(rows.begin(), 184, "1");
    const Summary summary = summarize(table_of(rows));
    const Interval plain = wilson(184.0 / 198, 198, 0.95);
    EXPECT_EQ(summary.over_questions->low, plain.low);
    EXPECT_EQ(summary.over_questions->high, plain.high);
    EXPECT_EQ(*summary.n_eff, 198);
    EXPECT_FALSE(summary.seed_sd);
    EXPECT_FALSE(summary.this_test);
    EXPECT_FALSE(summary.one_more_run);
    ASSERT_EQ(summary.at_k.size(), 1U);
    EXPECT_FALSE(summary.at_k[0].majority_at_k);
}

TEST(Summarize, OfAPerfectScoreIsStillNotCertain) {
    const Summary summary = summarize(table_of(std::vector<std::string>(198, "1111")));
    EXPECT_EQ(*summary.pass_at_1, 1);
    EXPECT_EQ(*summary.n_eff, 198);
    EXPECT_EQ(summary.over_questions->high, 1);
    EXPECT_NEAR(summary.over_questions->low, wilson(1, 198, 0.95).low, 1e-15);
    EXPECT_EQ(*summary.seed_sd, 0);
}

// All seeds have two right by luck; another seed may well have one or three.
TEST(Summarize, OfSeedsThatCameToTheSameScoreTakesTheSpreadWithinQuestions) {
    const Summary summary = summarize(table_of({"1100", "0011", "1111", "0000"}));
    EXPECT_EQ(*summary.seed_sd, 0);
    EXPECT_TRUE(summary.within_questions);
    const double within = (4.0 / 12 + 4.0 / 12) / 4;  // mean of c (S - c) / (S (S - 1))
    EXPECT_NEAR(*summary.fixed_error, std::sqrt(within / 16), 1e-15);
    EXPECT_NEAR(summary.this_test->high - 0.5, 1.959963984540054 * std::sqrt(within / 16), 1e-12);
    EXPECT_NEAR(0.5 - summary.one_more_run->low, 1.959963984540054 * std::sqrt(within / 4 * (1 + 1.0 / 4)), 1e-12);
    EXPECT_FALSE(summarize(table_of({"1100", "0010", "1111"})).within_questions);
    const Summary fixed = summarize(table_of({"1111", "0000"}));
    EXPECT_FALSE(fixed.within_questions);
    EXPECT_EQ(fixed.this_test->high, fixed.this_test->low);
}

TEST(Summarize, CountsEveryKindOfCell) {
    SeedTable table = table_of({"10tTe", "u.u01"});
    table.cell(0, 0).completion_tokens = 70;
    table.cell(0, 3).completion_tokens = 30;
    const Summary summary = summarize(table);
    const Counts& total = summary.total;
    EXPECT_EQ(total.attempts, 10);
    EXPECT_EQ(total.scored, 7);
    EXPECT_EQ(total.correct, 3);
    EXPECT_EQ(total.no_answer, 2);
    EXPECT_EQ(total.complete, 4);
    EXPECT_EQ(total.truncated, 2);
    EXPECT_EQ(total.truncated_answered, 1);
    EXPECT_EQ(total.truncated_correct, 1);
    EXPECT_EQ(total.empty, 1);
    EXPECT_EQ(total.unscored, 2);
    EXPECT_EQ(total.missing, 1);
    EXPECT_EQ(total.tokens_known, 2);
    EXPECT_EQ(total.completion_tokens, 100);
    EXPECT_NEAR(*summary.truncation_ceiling, 1.0 / 7, 1e-15);
    EXPECT_EQ(summary.unscored_by_reason, (std::vector<std::pair<std::string, std::int64_t>>{{"timeout", 2}}));
}

TEST(Summarize, ATableWithHolesHasAScoreAndBoundsButNoIntervals) {
    SeedTable table = table_of({"11", "10", "u1", "1."});
    table.domains = {"x", "x", "y", "y"};
    const Summary summary = summarize(table);
    EXPECT_FALSE(summary.full);
    EXPECT_NEAR(*summary.pass_at_1, 5.0 / 6, 1e-15);
    EXPECT_NEAR(summary.bounds->low, 5.0 / 8, 1e-15);
    EXPECT_NEAR(summary.bounds->high, 7.0 / 8, 1e-15);
    EXPECT_FALSE(summary.over_questions);
    EXPECT_FALSE(summary.seed_sd);
    EXPECT_TRUE(summary.at_k.empty());
    ASSERT_EQ(summary.per_domain.size(), 2U);
    EXPECT_TRUE(summary.per_domain[0].over_questions);
    EXPECT_FALSE(summary.per_domain[1].over_questions);
    EXPECT_EQ(summary.unstable_questions, (std::vector<int>{1}));
}

TEST(Summarize, ATableWithNothingScoredHasNoScore) {
    const Summary summary = summarize(table_of({"u.", ".."}));
    EXPECT_FALSE(summary.pass_at_1);
    EXPECT_EQ(summary.bounds->low, 0);
    EXPECT_EQ(summary.bounds->high, 1);
    EXPECT_FALSE(summary.truncation_ceiling);
    EXPECT_EQ(summary.never_solved, 0);
}

TEST(Summarize, AnEmptyTableHasNothing) {
    const Summary summary = summarize(SeedTable{});
    EXPECT_FALSE(summary.full);
    EXPECT_FALSE(summary.pass_at_1);
    EXPECT_FALSE(summary.bounds);
    EXPECT_TRUE(summary.at_k.empty());
}

// The example of NeMo-Skills' own tests: four questions, four runs.
TEST(Summarize, GivesNemoSkillsExampleFigures) {
    SeedTable table = table_of(4, 4);
    const char* const answers[4] = {"CCCC", "CBDD", "CCC-", "BBBB"};
    const char* const scores[4] = {"1111", "1000", "1110", "0000"};
    for (std::size_t q = 0; q < 4; ++q) {
        for (std::size_t s = 0; s < 4; ++s) {
            Cell& cell = table.cell(q, s);
            cell.state = CellState::complete;
            cell.correct = scores[q][s] == '1';
            if (answers[q][s] != '-') cell.prediction = std::string(1, answers[q][s]);
        }
    }
    const Summary summary = summarize(table);
    const std::vector<double> pass{0.5, 0.625, 0.6875, 0.75};
    const std::vector<double> average{0.75, 0.625, 7.0 / 12, 0.5};
    const std::vector<double> majority{0, 0.625, 7.0 / 12, 0.5};
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(summary.at_k[k].pass_at_k, pass[k], 1e-15);
        EXPECT_NEAR(summary.at_k[k].average_of_k, average[k], 1e-15);
        EXPECT_EQ(summary.at_k[k].majority_at_k.has_value(), k > 0);
        EXPECT_NEAR(summary.at_k[k].majority_at_k.value_or(0), majority[k], 1e-15);
    }
    EXPECT_NEAR(*summary.seed_sd, 0.2041241452319315, 1e-15);
    EXPECT_NEAR(*summary.seed_se, 0.10206207261596575, 1e-15);
}

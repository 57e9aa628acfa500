#include "scorers/statistics/letter_flips.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/scorers_statistics/tables.hpp"

using namespace assay::statistics;

namespace {

// One letter a cell; 'A' is right, '-' is no answer.
SeedTable lettered(const std::vector<std::string>& rows) {
    SeedTable table = tables::of(std::vector<std::string>(rows.size(), std::string(rows.front().size(), '0')));
    for (std::size_t q = 0; q < rows.size(); ++q) {
        for (std::size_t s = 0; s < rows[q].size(); ++s) {
            Cell& cell = table.cell(q, s);
            cell.correct = rows[q][s] == 'A';
            cell.prediction.reset();
            if (rows[q][s] != '-') cell.prediction = std::string(1, rows[q][s]);
        }
    }
    return table;
}

std::vector<std::size_t> all_rows(const SeedTable& table) {
    std::vector<std::size_t> rows(table.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

LetterFlips flips(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const SeedTable table_a = lettered(a);
    return *letter_flips(table_a, lettered(b), all_rows(table_a));
}

// Pairs of answers to a question that agree, over all questions.
int agreeing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    int pairs = 0;
    for (std::size_t q = 0; q < a.size(); ++q) {
        for (const char x : a[q]) {
            for (const char y : b[q]) pairs += x == y ? 1 : 0;
        }
    }
    return pairs;
}

// Every way to deal the six answers of each of two questions to the two runs.
double p_by_enumeration(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const int observed = agreeing(a, b);
    int as_few = 0;
    int all = 0;
    for (unsigned first = 0; first < 64; ++first) {
        for (unsigned second = 0; second < 64; ++second) {
            if (__builtin_popcount(first) != 3 || __builtin_popcount(second) != 3) continue;
            std::vector<std::string> x(2);
            std::vector<std::string> y(2);
            for (std::size_t q = 0; q < 2; ++q) {
                const std::string answers = a[q] + b[q];
                for (std::size_t i = 0; i < 6; ++i) (((q == 0 ? first : second) >> i & 1U) != 0 ? x : y)[q] += answers[i];
            }
            ++all;
            as_few += agreeing(x, y) <= observed ? 1 : 0;
        }
    }
    return static_cast<double>(as_few) / all;
}

}  // namespace

TEST(LetterFlips, CountPairsOfSeedsWithDifferentLetters) {
    const LetterFlips f = flips({"AAB", "C--"}, {"AB", "CC"});
    EXPECT_NEAR(f.flips.cross, (3 + 4) / 12.0, 1e-15);
    EXPECT_NEAR(f.flips.self_a, (2 + 2) / 6.0, 1e-15);
    EXPECT_NEAR(f.flips.self_b, 1 / 2.0, 1e-15);
    EXPECT_NEAR(f.flips.excess, 7 / 12.0 - (4 / 6.0 + 0.5) / 2, 1e-15);
    EXPECT_FALSE(f.p);  // unequal numbers of seeds
}

TEST(LetterFlips, HaveThePOfEveryWayToDealTheAnswersOut) {
    const std::vector<std::vector<std::string>> runs{{"ABA", "CCD"}, {"BBC", "DD-"}, {"AAA", "C-C"}, {"ABC", "DDD"}};
    for (const auto& a : runs) {
        for (const auto& b : runs) EXPECT_NEAR(flips(a, b).p.value(), p_by_enumeration(a, b), 1e-12) << a[0] << b[0];
    }
}

TEST(LetterFlips, SeeAWrongAnswerBecomeAnotherWrongOne) {
    const std::vector<std::string> b(12, "BBBBBBBB");
    const std::vector<std::string> c(12, "CCCCCCCC");
    EXPECT_EQ(flips(b, c).flips.excess, 1);
    EXPECT_LT(*flips(b, c).p, 1e-30);
    EXPECT_EQ(*flips(b, b).p, 1);
}

#include "reports/nemo/nemo_metrics.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "harness/error.hpp"
#include "reports/nemo/numpy.hpp"
#include "reports/nemo/pass_at_k.hpp"

namespace assay::reports {
namespace {

NemoRun run(const std::string& file, const std::string& answers, char right) {
    NemoRun out{file, {}};
    for (const char answer : answers) {
        NemoRow& row = out.rows.emplace_back();
        if (answer != '-') row.predicted_answer = std::string(1, answer);
        row.correct = answer == right;
    }
    return out;
}

const NemoMode& mode(const std::vector<NemoGroup>& groups, const std::string& name) {
    for (const NemoMode& candidate : groups.front().modes)
        if (candidate.name == name) return candidate;
    throw std::out_of_range(name);
}

TEST(NemoMetrics, TakeRunsInTheByteOrderOfTheirFileNames) {
    const auto groups = nemo_aggregate("gpqa", {run("output-rs2.jsonl", "B", 'A'), run("output-rs10.jsonl", "A", 'A'),
                                                run("output-rs1.jsonl", "A", 'A')});
    EXPECT_EQ(mode(groups, "pass@1[avg-of-2]").symbolic_correct, 100);
}

TEST(NemoMetrics, CountATieAsTheMeanOfItsAnswers) {
    const auto groups = nemo_aggregate("gpqa", {run("0", "A", 'A'), run("1", "B", 'A')});
    EXPECT_EQ(mode(groups, "majority@2").symbolic_correct, 50);
}

TEST(NemoMetrics, LetARowWithoutAnAnswerAbstain) {
    const auto groups = nemo_aggregate("gpqa", {run("0", "A", 'A'), run("1", "-", 'A'), run("2", "-", 'A')});
    EXPECT_EQ(mode(groups, "majority@3").symbolic_correct, 100);
    EXPECT_EQ(mode(groups, "majority@3").no_answer, 0);
    EXPECT_NEAR(mode(groups, "pass@1[avg-of-3]").no_answer, 200.0 / 3, 1e-9);
}

TEST(NemoMetrics, RefuseRunsOfDifferentLength) {
    try {
        (void)nemo_aggregate("gpqa", {run("a", "AB", 'A'), run("b", "A", 'A')});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "expected as many rows in b as in a, found 1 and 2: score the missing questions first");
    }
    EXPECT_THROW((void)nemo_aggregate("gpqa", {}), Error);
}

TEST(NemoMetrics, OfNoRowsAreAnEmptyObject) {
    const auto groups = nemo_aggregate("gpqa", {run("a", "", 'A')});
    EXPECT_EQ(nemo_metrics_json(groups), "{\n  \"gpqa\": {}\n}");
    EXPECT_EQ(nemo_metrics_table(groups), "");
}

TEST(NumpySum, IsSequentialBelowEightValues) {
    const std::vector<double> values{1e16, 1, -1e16, 1, 1, 1, 1};
    EXPECT_EQ(numpy::sum(values), 4);
}

// Values of numpy 2.4.6: sum([1e16, 1, 1, ...]) for lengths around the blocks.
TEST(NumpySum, KeepsSmallValuesApartInItsLanes) {
    const auto ones_after_a_large_one = [](std::size_t count) {
        std::vector<double> values(count, 1.0);
        values[0] = 1e16;
        return numpy::sum(values) - 1e16;
    };
    EXPECT_EQ(ones_after_a_large_one(7), 0);
    EXPECT_EQ(ones_after_a_large_one(8), 6);
    EXPECT_EQ(ones_after_a_large_one(128), 112);
    EXPECT_EQ(ones_after_a_large_one(129), 120);
    EXPECT_EQ(ones_after_a_large_one(136), 128);
    EXPECT_EQ(ones_after_a_large_one(1000), 986);
}

TEST(NumpySum, IsExactOnWholeNumbers) {
    std::vector<double> values(300);
    std::iota(values.begin(), values.end(), 0.0);
    EXPECT_EQ(numpy::sum(values), 299 * 300 / 2);
}

// Values of CPython: 1 - math.comb(n - c, k) / math.comb(n, k).
TEST(PassAtK, IsRoundedAsPythonRoundsAQuotientOfIntegers) {
    EXPECT_EQ(nemo_pass_at_k(16, 15, 1), 0.9375);
    EXPECT_EQ(nemo_pass_at_k(16, 5, 3), 0.7053571428571428);
    EXPECT_EQ(nemo_pass_at_k(17, 9, 2), 0.7941176470588236);
    EXPECT_EQ(nemo_pass_at_k(64, 3, 31), 0.8690476190476191);
    EXPECT_EQ(nemo_pass_at_k(64, 1, 32), 0.5);
    EXPECT_EQ(nemo_pass_at_k(100, 1, 50), 0.5);
    EXPECT_EQ(nemo_pass_at_k(130, 2, 60), 0.7119856887298748);
    EXPECT_EQ(nemo_pass_at_k(130, 64, 65), 1.0);
    EXPECT_EQ(nemo_pass_at_k(128, 1, 127), 0.9921875);
}

TEST(PassAtK, IsOneWhereFewerThanKAreWrong) {
    EXPECT_EQ(nemo_pass_at_k(4, 2, 3), 1);
    EXPECT_EQ(nemo_pass_at_k(1, 0, 1), 0);
    EXPECT_EQ(nemo_pass_at_k(1, 1, 1), 1);
}

TEST(PassAtK, StaysCloseBeyondTheExactRange) {
    EXPECT_NEAR(nemo_pass_at_k(131, 1, 64), nemo_pass_at_k(130, 1, 64), 0.01);
    EXPECT_NEAR(nemo_pass_at_k(200, 1, 50), 0.25, 1e-12);
}

}  // namespace
}  // namespace assay::reports

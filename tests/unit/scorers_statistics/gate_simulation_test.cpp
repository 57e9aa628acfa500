// How often the intervals of a comparison hold what they claim, and how often the gate passes what it should not, on simulated
// runs of 198 questions and 16 seeds, 4,000 a setting. Question difficulties are drawn from a beta distribution with mean 0.93 and ICC 0.5; the seed of
// all draws is fixed, so that a figure changes only with the code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>

#include "scorers/statistics/early_stop.hpp"
#include "scorers/statistics/gate.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/run_comparison.hpp"

using namespace assay::statistics;

namespace {

constexpr std::size_t questions = 198;
constexpr std::int64_t seeds = 16;
constexpr double accuracy = 0.93;
constexpr double icc = 0.5;

class Model {
public:
    Model() {
        const double sum = 1 / icc - 1;
        for (std::size_t i = 0; i < 4000; ++i) {
            rates_.push_back(beta_quantile((static_cast<double>(i) + 0.5) / 4000, accuracy * sum, (1 - accuracy) * sum));
            mean_ += rates_.back() / 4000;
        }
    }
    [[nodiscard]] double mean() const { return mean_; }

    std::vector<double> draw_questions() {
        std::vector<double> rates(questions);
        for (double& rate : rates) rate = rates_[random_() % rates_.size()];
        return rates;
    }
    // One more answer to each question.
    void add_seed(const std::vector<double>& rates, std::vector<std::int64_t>& right) {
        for (std::size_t q = 0; q < questions; ++q) right[q] += uniform() < rates[q] ? 1 : 0;
    }
    std::vector<std::int64_t> draw_answers(const std::vector<double>& rates) {
        std::vector<std::int64_t> right(questions, 0);
        for (std::int64_t s = 0; s < seeds; ++s) add_seed(rates, right);
        return right;
    }
    double uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }

private:
    std::mt19937_64 random_{20240607};
    std::vector<double> rates_;
    double mean_ = 0;
};

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

bool holds(const Interval& interval, double value) { return interval.low <= value && value <= interval.high; }

struct Rates {
    int pass = 0;
    int fail = 0;
    int covered_questions = 0;
    int covered_test = 0;
};

// `shifted` gives B's rates from A's; the true difference over all questions is `difference`.
template <class Shift>
Rates simulate(int runs, double difference, Shift shifted) {
    Model model;
    Rates out;
    for (int i = 0; i < runs; ++i) {
        const std::vector<double> rates_a = model.draw_questions();
        const std::vector<double> rates_b = shifted(rates_a, model);
        const auto right_a = model.draw_answers(rates_a);
        const auto right_b = model.draw_answers(rates_b);
        const RunComparison c = compare_counts({right_a, seeds}, {right_b, seeds});
        const Gate g = gate(c, 0.02);
        out.pass += g.verdict == GateVerdict::pass ? 1 : 0;
        out.fail += g.verdict == GateVerdict::fail ? 1 : 0;
        out.covered_questions += holds(two_sided_interval(*c.over_questions, 0.95), difference) ? 1 : 0;
        out.covered_test += holds(two_sided_interval(*c.this_test, 0.95), mean(rates_b) - mean(rates_a)) ? 1 : 0;
    }
    testing::Test::RecordProperty("pass", out.pass);
    testing::Test::RecordProperty("fail", out.fail);
    testing::Test::RecordProperty("covered_questions", out.covered_questions);
    testing::Test::RecordProperty("covered_test", out.covered_test);
    return out;
}

constexpr int gates = 4000;

TEST(SimulatedGate, PassesAtMostFiveAndAHalfPercentAtTheMargin) {
    const double factor = 1 - 0.02 / Model().mean();
    const Rates at_margin = simulate(gates, -0.02, [&](std::vector<double> rates, Model&) {
        for (double& rate : rates) rate *= factor;
        return rates;
    });
    EXPECT_LE(at_margin.pass, 0.055 * gates);
    EXPECT_LE(at_margin.fail, 0.055 * gates);
    EXPECT_GE(at_margin.covered_questions, 0.93 * gates);
    EXPECT_LE(at_margin.covered_questions, 0.97 * gates);
    EXPECT_GE(at_margin.covered_test, 0.93 * gates);
    EXPECT_LE(at_margin.covered_test, 0.97 * gates);
}

// The hardest case for an error estimated from the data: two points lost on a few questions, none elsewhere.
TEST(SimulatedGate, PassesAtMostFiveAndAHalfPercentWhereWholeQuestionsAreLost) {
    const double share = 0.02 / Model().mean();
    const Rates at_margin = simulate(gates, -0.02, [&](std::vector<double> rates, Model& model) {
        for (double& rate : rates) rate = model.uniform() < share ? 0 : rate;
        return rates;
    });
    EXPECT_LE(at_margin.pass, 0.055 * gates);
}

TEST(SimulatedGate, PassesNearlyEveryRunOfTheSameModel) {
    const Rates same = simulate(gates, 0, [](std::vector<double> rates, Model&) { return rates; });
    EXPECT_GE(same.pass, 0.93 * gates);
    EXPECT_EQ(same.fail, 0);
}

// A run that is looked at after each of its seeds from the fourth on, and stops where the gate is decided.
double passed_at_some_look(const char* name, int runs, const std::function<std::vector<double>(std::vector<double>, Model&)>& shifted) {
    Model model;
    int passed = 0;
    for (int i = 0; i < runs; ++i) {
        const std::vector<double> rates_a = model.draw_questions();
        const std::vector<double> rates_b = shifted(rates_a, model);
        const auto right_a = model.draw_answers(rates_a);
        std::vector<std::int64_t> right_b(questions, 0);
        for (std::int64_t k = 1; k <= seeds; ++k) {
            model.add_seed(rates_b, right_b);
            if (k < static_cast<std::int64_t>(first_look_for_gate)) continue;
            const Gate g = gate(compare_counts({right_a, seeds}, {right_b, k}), 0.02, k == seeds ? GateLook::last : GateLook::interim);
            if (g.verdict == GateVerdict::inconclusive) continue;
            passed += g.verdict == GateVerdict::pass ? 1 : 0;
            break;
        }
    }
    testing::Test::RecordProperty(name, passed);
    return static_cast<double>(passed) / runs;
}

TEST(SimulatedGate, PassesAtMostFiveAndAHalfPercentAtTheMarginThoughItIsLookedAtAfterEverySeed) {
    const double factor = 1 - 0.02 / Model().mean();
    const auto weaker = [&](std::vector<double> rates, Model&) {
        for (double& rate : rates) rate *= factor;
        return rates;
    };
    EXPECT_LE(passed_at_some_look("passed_of_4000_weaker", gates, weaker), 0.055);
    const double share = 0.02 / Model().mean();
    const auto some_lost = [&](std::vector<double> rates, Model& model) {
        for (double& rate : rates) rate = model.uniform() < share ? 0 : rate;
        return rates;
    };
    EXPECT_LE(passed_at_some_look("passed_of_4000_with_lost_questions", gates, some_lost), 0.055);
}

TEST(SimulatedGate, DecidesForTheSameModelAtAnEarlyLookMoreOftenThanNot) {
    EXPECT_GE(passed_at_some_look("passed_of_1000", 1000, [](std::vector<double> rates, Model&) { return rates; }), 0.9);
}

}  // namespace

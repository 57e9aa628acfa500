// Do the printed intervals hold what they say they hold? 4,000 simulated runs of 198 questions by 16 seeds, accuracy 0.93 and
// ICC 0.5: a question's rate is beta distributed, an answer right with that rate. Philox draws: the same runs everywhere.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "scorers/statistics/philox.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/seed_spread.hpp"

using namespace assay::statistics;

namespace {

constexpr int kRuns = 4000;
constexpr int kQuestions = 198;
constexpr int kSeeds = 16;

// The questions there are: 10,000 rates at even steps of the beta distribution, of which a test takes 198.
struct Population {
    std::vector<double> rates;
    double mean = 0;
};

Population population() {
    Population all;
    constexpr int kSize = 10000;
    for (int i = 0; i < kSize; ++i) {
        all.rates.push_back(beta_quantile((i + 0.5) / kSize, 0.93, 0.07));  // a + b = 1: ICC 0.5
        all.mean += all.rates.back() / kSize;
    }
    return all;
}

bool holds(const Interval& interval, double value) { return interval.low <= value && value <= interval.high; }

struct Coverage {
    double over_questions = 0;
    double this_test = 0;
    double one_more_run = 0;
};

Coverage simulated() {
    const Population all = population();
    Coverage coverage;
    for (int run = 0; run < kRuns; ++run) {
        const Draws questions(20251130, 0, static_cast<std::uint64_t>(run));
        const Draws answers(20251130, 1, static_cast<std::uint64_t>(run));
        std::vector<std::int64_t> by_question(kQuestions, 0);
        std::array<std::int64_t, kSeeds> by_seed{};
        int further = 0;  // right answers of one more seed
        double rate_of_test = 0;
        std::uint32_t draw = 0;
        for (std::uint32_t q = 0; q < kQuestions; ++q) {
            const double rate = all.rates[questions.index(q, all.rates.size())];
            rate_of_test += rate / kQuestions;
            for (std::size_t s = 0; s < kSeeds; ++s) {
                const bool right = answers.uniform(draw++) < rate;
                by_question[q] += right ? 1 : 0;
                by_seed[s] += right ? 1 : 0;
            }
            further += answers.uniform(draw++) < rate ? 1 : 0;
        }
        const SeedSpread spread = seed_spread(by_seed, kQuestions, 0.95);
        coverage.over_questions += holds(question_interval(by_question, kSeeds, 0.95).interval, all.mean) ? 1.0 / kRuns : 0;
        coverage.this_test += holds(spread.this_test, rate_of_test) ? 1.0 / kRuns : 0;
        coverage.one_more_run += holds(spread.one_more_run, static_cast<double>(further) / kQuestions) ? 1.0 / kRuns : 0;
    }
    return coverage;
}

}  // namespace

TEST(Coverage, EachPrintedIntervalHoldsItsTargetAsOftenAsItSays) {
    const Coverage coverage = simulated();
    EXPECT_GE(coverage.over_questions, 0.93);
    EXPECT_LE(coverage.over_questions, 0.97);
    EXPECT_GE(coverage.this_test, 0.93);
    EXPECT_LE(coverage.this_test, 0.97);
    EXPECT_GE(coverage.one_more_run, 0.93);
    EXPECT_LE(coverage.one_more_run, 0.97);
    RecordProperty("over_questions", std::to_string(coverage.over_questions));
    RecordProperty("this_test", std::to_string(coverage.this_test));
    RecordProperty("one_more_run", std::to_string(coverage.one_more_run));
}

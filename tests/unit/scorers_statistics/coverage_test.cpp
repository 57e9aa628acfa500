// Do the printed intervals hold what they say they hold? 4,000 simulated runs of 198 questions by 16 seeds, accuracy 0.93 and
// ICC 0.5: a question's rate is beta distributed, an answer right with that rate. The seed of all draws is fixed: the same runs
// everywhere.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "scorers/statistics/early_stop.hpp"
#include "scorers/statistics/paired_proportions.hpp"
#include "scorers/statistics/published_comparison.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/seed_spread.hpp"
#include "scorers/statistics/truncation_bounds.hpp"

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

Population population(double accuracy) {
    Population all;
    constexpr int kSize = 10000;
    for (int i = 0; i < kSize; ++i) {
        all.rates.push_back(beta_quantile((i + 0.5) / kSize, accuracy, 1 - accuracy));  // a + b = 1: ICC 0.5
        all.mean += all.rates.back() / kSize;
    }
    return all;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : words_(seed) {}
    double uniform() { return static_cast<double>(words_() >> 11U) * 0x1p-53; }
    double one_of(const std::vector<double>& rates, std::size_t begin, std::size_t size) { return rates[begin + words_() % size]; }
    double one_of(const std::vector<double>& rates) { return one_of(rates, 0, rates.size()); }
    std::int64_t right_of_all(double rate) {
        std::int64_t right = 0;
        for (int s = 0; s < kSeeds; ++s) right += uniform() < rate ? 1 : 0;
        return right;
    }

private:
    std::mt19937_64 words_;
};

bool holds(const Interval& interval, double value) { return interval.low <= value && value <= interval.high; }

struct Coverage {
    double over_questions = 0;
    double domains_fixed = 0;   // two domains, one of easy questions and one of hard ones
    double of_one_seed = 0;     // over questions, from a single run
    double this_test = 0;
    double one_more_run = 0;
    double two_runs = 0;        // difference of eight seeds and eight others on this test, by seed counts (Welch)
    double two_single_runs = 0; // Tango
    double all_cut_right = 0;   // Imbens-Manski: every reply that was cut would have been right
    double all_cut_wrong = 0;   // likewise: none
};

// Half of the questions of either domain come from either half of the rates.
double mean_of_half(const Population& all, bool upper) {
    double sum = 0;
    for (std::size_t i = 0; i < all.rates.size() / 2; ++i) sum += all.rates[upper ? i + all.rates.size() / 2 : i];
    return sum / static_cast<double>(all.rates.size() / 2);
}

struct Drawn {
    std::vector<std::int64_t> by_question = std::vector<std::int64_t>(kQuestions, 0);
    std::vector<std::int64_t> seen = std::vector<std::int64_t>(kQuestions, 0);  // right and not cut
    std::vector<std::int64_t> first_seed = std::vector<std::int64_t>(kQuestions, 0);
    std::array<std::int64_t, kSeeds> by_seed{};
    std::int64_t further = 0;  // right answers of one more seed
    PairedCells pairs;         // of the first seed and the further one
    double rate = 0;
};

// A test of questions of this population; one in fifty right replies is cut.
Drawn drawn(Random& random, const Population& all) {
    Drawn test;
    for (std::size_t q = 0; q < kQuestions; ++q) {
        const double rate = random.one_of(all.rates);
        test.rate += rate / kQuestions;
        for (std::size_t s = 0; s < kSeeds; ++s) {
            const double u = random.uniform();
            const bool right = u < rate;
            test.by_question[q] += right ? 1 : 0;
            test.seen[q] += u < 0.98 * rate ? 1 : 0;
            test.by_seed[s] += right ? 1 : 0;
            if (s == 0) test.first_seed[q] = right ? 1 : 0;
        }
        const bool further = random.uniform() < rate;
        test.further += further ? 1 : 0;
        const bool first = test.first_seed[q] == 1;
        ++(first ? (further ? test.pairs.both : test.pairs.a_only) : (further ? test.pairs.b_only : test.pairs.neither));
    }
    return test;
}

Coverage simulated() {
    const Population all = population(0.93);
    const double halves = (mean_of_half(all, false) + mean_of_half(all, true)) / 2;
    std::vector<int> domain(kQuestions);
    for (std::size_t q = 0; q < kQuestions; ++q) domain[q] = static_cast<int>(q % 2);
    Random random(20251130);
    Coverage coverage;
    const auto add = [](double& share, const Interval& interval, double value) { share += holds(interval, value) ? 1.0 / kRuns : 0; };
    for (int run = 0; run < kRuns; ++run) {
        const Drawn test = drawn(random, all);
        std::vector<std::int64_t> by_domain;
        for (std::size_t q = 0; q < kQuestions; ++q) {
            const std::size_t half = all.rates.size() / 2;
            by_domain.push_back(random.right_of_all(random.one_of(all.rates, q % 2 == 0 ? 0 : half, half)));
        }
        const SeedSpread spread = seed_spread(test.by_seed, kQuestions, 0.95);
        const std::span<const std::int64_t> counts(test.by_question);
        const std::span<const std::int64_t> seeds(test.by_seed);
        add(coverage.over_questions, question_interval(counts, kSeeds, 0.95).interval, all.mean);
        add(coverage.domains_fixed, stratified_interval(by_domain, domain, kSeeds, 0.95)->interval, halves);
        add(coverage.of_one_seed, question_interval(test.first_seed, 1, 0.95).interval, all.mean);
        add(coverage.this_test, spread.this_test, test.rate);
        add(coverage.one_more_run, spread.one_more_run, static_cast<double>(test.further) / kQuestions);
        add(coverage.two_runs, *compare_with_published(seeds.first(8), seeds.last(8), kQuestions).interval, 0);
        add(coverage.two_single_runs, tango(test.pairs, 0.95), 0);
        const Interval without_truncation = *interval_without_truncation(test.seen, test.by_question, kSeeds, 0.95);
        add(coverage.all_cut_right, without_truncation, all.mean);
        add(coverage.all_cut_wrong, without_truncation, 0.98 * all.mean);
    }
    return coverage;
}

void expect_about_95_percent(const char* name, double coverage) {
    EXPECT_GE(coverage, 0.93) << name;
    EXPECT_LE(coverage, 0.97) << name;
    testing::Test::RecordProperty(name, std::to_string(coverage));
}

}  // namespace

TEST(Coverage, EachPrintedIntervalHoldsItsTargetAsOftenAsItSays) {
    const Coverage coverage = simulated();
    expect_about_95_percent("over_questions", coverage.over_questions);
    expect_about_95_percent("domains_fixed", coverage.domains_fixed);
    expect_about_95_percent("of_one_seed", coverage.of_one_seed);
    expect_about_95_percent("this_test", coverage.this_test);
    expect_about_95_percent("one_more_run", coverage.one_more_run);
    expect_about_95_percent("two_runs", coverage.two_runs);
    expect_about_95_percent("two_single_runs", coverage.two_single_runs);
    // Were every cut reply right, and were none: between the two it holds more often.
    expect_about_95_percent("all_cut_right", coverage.all_cut_right);
    expect_about_95_percent("all_cut_wrong", coverage.all_cut_wrong);
}

// Of the whole test and of its domains, which are as large as GPQA Diamond's, where models are middling, good and nearly perfect.
TEST(Coverage, OfDomainsOfAnySizeIsWhatTheySay) {
    for (const double accuracy : {0.6, 0.93, 0.98}) {
        const Population all = population(accuracy);
        Random random(20260101);
        constexpr std::array<std::size_t, 4> sizes{19, 86, 93, kQuestions};
        std::array<int, 4> held{};
        std::vector<std::int64_t> counts(kQuestions);
        for (int run = 0; run < kRuns; ++run) {
            for (std::int64_t& count : counts) count = random.right_of_all(random.one_of(all.rates));
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const auto part = std::span<const std::int64_t>(counts).last(sizes[i]);
                held[i] += holds(group_interval(part, counts, kSeeds, 0.95).interval, all.mean) ? 1 : 0;
            }
        }
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::string name = "of_" + std::to_string(sizes[i]) + "_at_" + std::to_string(static_cast<int>(100 * accuracy + 0.5));
            const double coverage = static_cast<double>(held[i]) / kRuns;
            testing::Test::RecordProperty(name, std::to_string(coverage));
            // Of the whole test near the ceiling it is short, and the report says so there.
            EXPECT_GE(coverage, accuracy > 0.97 && sizes[i] == kQuestions ? 0.92 : 0.93) << name;
            EXPECT_LE(coverage, 0.97) << name;
        }
    }
}

TEST(GroupInterval, OfTheWholeTestIsTheHeadlineAndOfAPartIsWiderThanThat) {
    std::vector<std::int64_t> all(60, kSeeds);
    for (std::size_t q = 0; q < 20; ++q) all[q] = static_cast<std::int64_t>(q % kSeeds);
    const QuestionInterval headline = question_interval(all, kSeeds, 0.95);
    const QuestionInterval whole = group_interval(all, all, kSeeds, 0.95);
    EXPECT_EQ(whole.interval.low, headline.interval.low);
    EXPECT_EQ(whole.interval.high, headline.interval.high);
    const QuestionInterval perfect = group_interval(std::span<const std::int64_t>(all).last(12), all, kSeeds, 0.95);
    EXPECT_DOUBLE_EQ(perfect.n_used, headline.n_used / 5);
    EXPECT_EQ(perfect.interval.high, 1);
    EXPECT_LT(perfect.interval.low, 0.9);
}

// What an interval that is found by looking costs: by the function that reports print, and by drawing whole tables.
TEST(Coverage, OfAnIntervalStoppedWhereItIsNarrowIsWhatTheReportSays) {
    const Population all = population(0.93);
    Random random(20251201);
    constexpr double bound = 0.008;
    constexpr int runs = kRuns;
    double sd = 0;
    int held = 0;
    int stopped = 0;
    for (int run = 0; run < runs; ++run) {
        const Drawn test = drawn(random, all);
        const std::span<const std::int64_t> seeds(test.by_seed);
        sd += seed_spread(seeds, kQuestions, 0.95).sd / runs;
        for (std::size_t k = first_look_for_precision; k <= kSeeds; ++k) {
            const SeedSpread spread = seed_spread(seeds.first(k), kQuestions, 0.95);
            if (spread.this_test.high - spread.mean > bound && k < kSeeds) continue;
            held += holds(spread.this_test, test.rate) ? 1 : 0;
            stopped += k < kSeeds ? 1 : 0;
            break;
        }
    }
    EXPECT_GT(stopped, runs / 4);
    const double said = coverage_when_stopped(sd, bound, first_look_for_precision, kSeeds);
    EXPECT_LT(said, 0.945);
    EXPECT_NEAR(static_cast<double>(held) / runs, said, 0.02);
}

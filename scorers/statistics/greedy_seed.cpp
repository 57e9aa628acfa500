#include "scorers/statistics/greedy_seed.hpp"

#include <algorithm>
#include <vector>

#include "scorers/statistics/columns.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/seed_spread.hpp"

namespace assay::statistics {
namespace {

Interval cut(const Interval& interval) { return {std::max(0.0, interval.low), std::min(1.0, interval.high)}; }

}  // namespace

std::optional<GreedySeed> greedy_seed(const SeedTable& table, int seed) {
    const std::optional<std::size_t> column = column_of(table, seed);
    if (!column || table.columns() < 3 || !every_cell_scored(table)) return std::nullopt;
    const std::vector<std::size_t> sampled = columns_without(table, seed);
    const std::vector<std::size_t> greedy{*column};
    const auto questions = static_cast<std::int64_t>(table.rows());
    const auto seeds = static_cast<std::int64_t>(sampled.size());
    const std::vector<std::int64_t> by_seed = correct_by_seed_of(table, sampled);
    const SeedSpread spread = seed_spread(by_seed, questions, 0.95);

    GreedySeed out;
    out.seed = seed;
    out.sampled_seeds = static_cast<int>(seeds);
    out.correct = correct_by_seed_of(table, greedy).front();
    out.score = static_cast<double>(out.correct) / static_cast<double>(questions);
    out.sampled_mean = spread.mean;
    out.sampled_sd = spread.sd;
    out.expected = cut(spread.one_more_run);
    out.this_test = cut(spread.this_test);
    if (spread.sd > 0) {
        out.distance_sd = (out.score - spread.mean) / spread.sd;
        // In right answers, which are whole numbers: ties in rank are ties.
        const std::vector<double> counts(by_seed.begin(), by_seed.end());
        out.prediction = t_prediction_test(static_cast<double>(out.correct), counts);
    }
    const std::vector<std::int64_t> by_question = correct_by_question_of(table, sampled);
    out.within_questions = within_question_test(correct_by_question_of(table, greedy), 1, by_question, seeds);
    if (questions >= 2) out.over_questions = question_interval(by_question, seeds, 0.95).interval;
    return out;
}

}  // namespace assay::statistics

// Summary: every number that a report of one run prints, with the raw counts from which each can be
// recomputed. Proportions are fractions in [0, 1]; reports turn them into percent.
//
// Cells that are unscored or missing are in no numerator and no denominator of a score; they are counted,
// and `bounds` says what they could change. A statistic that needs a full table (every cell scored, at least
// one cell) is absent where the table is not full, and a statistic that needs two seeds or two questions is
// absent where there are fewer. Truncated, empty, filtered and reasoning-only cells are scored: right where
// their prediction is right, else wrong; one without a prediction does not vote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scorers/statistics/curve.hpp"
#include "scorers/statistics/greedy_seed.hpp"
#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/seed_agreement.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/truncation_losses.hpp"

namespace assay::statistics {

// How many cells of which kind. attempts = scored + unscored + missing;
// scored = complete + truncated + answer_in_reasoning + empty + filtered.
struct Counts {
    std::int64_t attempts = 0;
    std::int64_t scored = 0;
    std::int64_t correct = 0;
    std::int64_t no_answer = 0;  // scored, and nothing could be read from it
    std::int64_t complete = 0;
    std::int64_t truncated = 0;
    std::int64_t truncated_answered = 0;  // truncated, and a prediction was read all the same
    std::int64_t truncated_correct = 0;
    std::int64_t answer_in_reasoning = 0;
    std::int64_t empty = 0;
    std::int64_t filtered = 0;
    std::int64_t unscored = 0;
    std::int64_t missing = 0;
    std::int64_t tokens_known = 0;       // cells whose completion tokens are known
    std::int64_t completion_tokens = 0;  // their sum

    [[nodiscard]] std::optional<double> score() const {
        if (scored == 0) return std::nullopt;
        return static_cast<double>(correct) / static_cast<double>(scored);
    }
};

struct SeedRow {
    int seed = 0;
    Counts counts;
};

struct GroupRow {
    std::string name;
    int questions = 0;
    Counts counts;
    // Over questions like the group's, 95 %: group_interval(), with the design effect of all groups that are full. Groups
    // that are full, two questions or more.
    std::optional<Interval> over_questions;
};

struct Summary {
    int questions = 0;
    int seeds = 0;
    Counts total;
    bool full = false;  // every cell is scored

    // pass@1 [avg-of-k]: correct / scored. Absent where nothing is scored.
    std::optional<double> pass_at_1;
    // Score were every unscored and missing cell wrong, and were every one right.
    std::optional<Interval> bounds;

    // Over questions like these, 95 %: Wilson with effective n from the variance between question means
    // (question_interval.hpp); n_eff is that n before the adjustment for degrees of freedom. With one seed it is
    // plain Wilson on the questions, and n_eff is their number; so too where all questions score the same.
    // Full tables, two questions or more.
    std::optional<Interval> over_questions;
    std::optional<double> n_eff;
    std::optional<double> standard_error_questions;  // sqrt(V / Q)
    // The same with the test's share of each domain held fixed (stratified_interval); two domains or more, each of two
    // questions or more, every question with one.
    std::optional<QuestionInterval> domains_fixed;

    // This test only, 95 % (seed_intervals.hpp): t over seeds, or where they all came to the same score and questions vary,
    // from the spread within questions. Full tables, two seeds or more.
    bool within_questions = false;
    std::optional<double> fixed_error;      // sqrt(W / (Q S)): the seeds' error from the spread within questions
    std::optional<double> seed_sd;          // of the seeds' scores, ddof 1
    std::optional<double> seed_se;          // seed_sd / sqrt(S)
    std::optional<Interval> this_test;      // cut to [0, 1]
    std::optional<Interval> one_more_run;   // where a further seed lands, cut to [0, 1]

    std::vector<AtK> at_k;  // k = 1..S; empty where the table is not full

    int never_solved = 0;  // questions with no right answer in any scored cell, at least one scored
    int unstable = 0;      // questions with right and wrong answers
    std::vector<int> never_solved_questions;  // question numbers, in dataset order
    std::vector<int> unstable_questions;

    // What truncation can have cost at most: truncated cells without a right answer, over scored cells.
    std::optional<double> truncation_ceiling;
    TruncationLosses truncation;

    SeedAgreement agreement;           // of the sampled seeds
    std::optional<GreedySeed> greedy;  // where one is known to be greedy, and is among the seeds

    std::vector<SeedRow> per_seed;         // in the table's column order
    // In order of first appearance; empty where no row has one. Rows without one are a group of empty name.
    std::vector<GroupRow> per_domain;
    std::vector<GroupRow> per_subdomain;

    // Unscored cells by outcome name, sorted by name.
    std::vector<std::pair<std::string, std::int64_t>> unscored_by_reason;
};

// What is known of a run beside its table.
struct Asked {
    std::optional<int> greedy_seed;
    std::optional<std::int64_t> budget;  // tokens of a reply
};

// Pure; sums are integers until one last division, so the result depends on its arguments alone.
[[nodiscard]] Summary summarize(const SeedTable& table, const Asked& asked = {});

}  // namespace assay::statistics

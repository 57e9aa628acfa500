// Run B against run A on the same questions: is B worse? Every difference here is B - A, as a fraction.
//
// Paired by question; the runs may have different numbers of seeds. Truncated, empty, filtered and reasoning-only cells are
// right or wrong as elsewhere. A question with a cell that is unscored or missing in either run is left out of all of it and
// listed; see gate.hpp for what such cells may change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scorers/statistics/agreement.hpp"
#include "scorers/statistics/exact_tests.hpp"
#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/letter_flips.hpp"
#include "scorers/statistics/mcnemar.hpp"
#include "scorers/statistics/paired_proportions.hpp"
#include "scorers/statistics/paired_questions.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/truncation_split.hpp"

namespace assay::statistics {

struct MovedQuestion {
    std::size_t row = 0;
    std::int64_t correct_a = 0;
    std::int64_t correct_b = 0;
    std::int64_t cut_a = 0;
    std::int64_t cut_b = 0;
    double change = 0;
};

struct RunComparison {
    std::int64_t seeds_a = 0;
    std::int64_t seeds_b = 0;
    std::vector<std::size_t> rows;      // compared
    std::vector<std::size_t> left_out;  // a cell of theirs has no score
    std::vector<std::int64_t> correct_by_question_a;  // of the rows compared
    std::vector<std::int64_t> correct_by_question_b;
    double score_a = 0;
    double score_b = 0;
    double difference = 0;

    // Within-question variance of either run; where a run has one seed it is not known, and the other's stands in.
    std::optional<double> within_a;
    std::optional<double> within_b;
    bool within_borrowed = false;
    std::optional<double> omega2;  // between questions, of the true differences; 0 where the estimate is below

    // Two errors of the difference; each absent where it is 0 (nothing varies) or not known. Degrees: Q - 1; infinite.
    std::optional<Estimate> over_questions;  // on questions like these
    std::optional<Estimate> this_test;       // on these very questions, were both runs made again

    SignFlipTest sign_flip;                    // exact: questions like these
    std::optional<WithinQuestionTest> within;  // exact: these very questions (of B)
    std::optional<ExcessFlips> flips;          // two seeds or more on both sides
    std::optional<double> flips_p;             // exact, one-sided: that much excess from one system; equal numbers of seeds
    std::optional<LetterFlips> letters;        // the same of letters; two seeds or more on both sides
    std::optional<McNemar> mcnemar;            // one seed each: b counts questions that B alone got right
    std::optional<Interval> tango;             // one seed each, 95 %
    std::optional<double> detectable;          // two-sided 5 %, found with 80 % power; where within is known and something varies

    TruncationSplit truncation;
    std::vector<MovedQuestion> moved;  // those with a change, largest first, then by row
};

enum class ExactTests : unsigned char { yes, no };  // no: sign_flip, within, flips_p and letters stay as they are set here

// Both tables hold the same questions in the same order. Absent where fewer than two questions can be compared.
[[nodiscard]] std::optional<RunComparison> compare_runs(const SeedTable& a, const SeedTable& b, ExactTests exact = ExactTests::yes);

// The same from right answers alone: two questions or more, the same on both sides, one seed or more on each. Without the exact
// tests, letters and truncation; rows are numbered from 0.
[[nodiscard]] RunComparison compare_counts(const RunCounts& a, const RunCounts& b);

}  // namespace assay::statistics

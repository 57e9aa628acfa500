// majority@k: the most frequent answer of k, two ways.
//
// An absent answer does not vote; where nobody votes the question is wrong. Answers vote as they were read, letters
// outside the choices and junk included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

// A score that is right / tied, kept as integers so that sums are exact.
struct MajorityVote {
    int right = 0;  // tied answers that are right
    int tied = 1;   // answers that share the highest count; 1 where nobody votes
};

// NeMo-Skills' rule (since 2025-08-18): of the first k cells, every answer that shares the highest count, each with its
// score; the question's score is their mean. 1 <= k <= row.size(); cells that are not scored do not vote.
[[nodiscard]] MajorityVote majority_of_first(std::span<const Cell> row, int k);

// The exact expectation over all ways to draw k of the n answers (multivariate hypergeometric), under three rules for a tie
// of m answers with the right one among them: 1/m of a point, none, a whole one.
struct ExpectedMajority {
    double uniform = 0;
    double pessimistic = 0;
    double optimistic = 0;
};

// counts[i] answers of kind i; `correct` and `none` are indices into counts (none: the kind that does not vote,
// -1 where there is no such kind). 1 <= k <= n = their sum. Exact integers until the last division for n <= 56.
[[nodiscard]] ExpectedMajority expected_majority(std::span<const int> counts, int correct, int none, int k);

inline constexpr std::size_t most_seeds_of_expected_majority = 56;  // up to here the ways are exact integers

// The same averaged over the questions of a full table, for k = 1..columns; empty above most_seeds_of_expected_majority.
// Kinds are answers as read, the right one together; cells without a prediction do not vote. Ways are added as whole numbers
// over all questions, so that their order does not matter.
[[nodiscard]] std::vector<ExpectedMajority> expected_majority_of(const SeedTable& table);

}  // namespace assay::statistics

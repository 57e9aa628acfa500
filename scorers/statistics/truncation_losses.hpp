// What truncation did to a run's score: where replies were cut, what the cut ones said, and what they can have cost.
//
// A cell counts as cut where it is `truncated`. Empty, filtered and reasoning-only cells are finished and wrong. Unscored and
// missing cells are in no count; a figure that needs a full table is absent where there are any.
#pragma once

#include <cstdint>
#include <optional>

#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/seed_table.hpp"
#include "scorers/statistics/truncation_bounds.hpp"

namespace assay::statistics {

struct TruncationLosses {
    std::int64_t truncated = 0;
    std::int64_t in_thinking = 0;  // no visible content yet
    std::int64_t in_answer = 0;
    std::int64_t with_letter = 0;  // something was read from it all the same
    std::int64_t with_letter_right = 0;
    std::int64_t without_letter = 0;

    // Suspected silent truncation. A server may stop a reply at the budget and call it finished, or cut it below the budget,
    // at a limit of its own. Known only where the budget and the tokens are.
    std::int64_t finished_at_budget = 0;
    std::int64_t cut_below_budget = 0;
    std::optional<std::int64_t> lowest_cut;  // tokens of the shortest and longest reply cut below the budget
    std::optional<std::int64_t> highest_cut;

    std::optional<double> on_finished;  // right / finished replies: the score beside the headline; a selection, no estimate
    std::optional<Interval> bounds;     // every cut reply without a letter wrong, and every one right (Manski 1990)
    // Full tables of two questions or more, where something was cut without a letter:
    std::optional<Interval> true_score;  // 95 % for the score without truncation, within the bounds (Imbens and Manski 2004)
    std::optional<Recovery> recovery;    // optimistic
};

// `budget` in tokens, where it is known.
[[nodiscard]] TruncationLosses truncation_losses(const SeedTable& table, const std::optional<std::int64_t>& budget);

}  // namespace assay::statistics

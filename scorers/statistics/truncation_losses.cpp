#include "scorers/statistics/truncation_losses.hpp"

#include <algorithm>
#include <vector>

#include "scorers/statistics/counts.hpp"

namespace assay::statistics {
namespace {

constexpr int choices_of_a_guess = 4;  // of the floor, which is not kept

void count_cut(TruncationLosses& losses, const Cell& cell) {
    ++losses.truncated;
    ++(cell.answer_begun ? losses.in_answer : losses.in_thinking);
    if (!cell.prediction) ++losses.without_letter;
    else ++losses.with_letter;
    if (cell.correct) ++losses.with_letter_right;
}

void look_for_silent(TruncationLosses& losses, const Cell& cell, std::int64_t budget) {
    if (!cell.scored() || !cell.completion_tokens) return;
    const std::int64_t tokens = *cell.completion_tokens;
    if (cell.state != CellState::truncated) {
        if (tokens == budget) ++losses.finished_at_budget;
    } else if (tokens < budget) {
        ++losses.cut_below_budget;
        losses.lowest_cut = std::min(tokens, losses.lowest_cut.value_or(tokens));
        losses.highest_cut = std::max(tokens, losses.highest_cut.value_or(tokens));
    }
}

struct ByQuestion {
    std::vector<std::int64_t> right;
    std::vector<std::int64_t> cut;  // without a letter
    std::vector<std::int64_t> at_most;
};

ByQuestion by_question(const SeedTable& table) {
    ByQuestion out;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::int64_t right = 0;
        std::int64_t cut = 0;
        for (const Cell& cell : row_of(table, row)) {
            right += cell.correct ? 1 : 0;
            cut += cell.state == CellState::truncated && !cell.prediction ? 1 : 0;
        }
        out.right.push_back(right);
        out.cut.push_back(cut);
        out.at_most.push_back(right + cut);
    }
    return out;
}

void add_estimates(TruncationLosses& losses, const SeedTable& table) {
    const ByQuestion questions = by_question(table);
    const auto seeds = static_cast<std::int64_t>(table.columns());
    losses.recovery = expected_recovery(questions.right, questions.cut, seeds);
    losses.true_score = interval_without_truncation(questions.right, questions.at_most, seeds, 0.95);
}

}  // namespace

TruncationLosses truncation_losses(const SeedTable& table, const std::optional<std::int64_t>& budget) {
    TruncationLosses losses;
    Counts counts;
    for (const Cell& cell : table.cells) {
        count(counts, cell);
        if (cell.state == CellState::truncated) count_cut(losses, cell);
        if (budget) look_for_silent(losses, cell, *budget);
    }
    if (counts.scored == 0) return losses;
    const std::int64_t finished = counts.scored - losses.truncated;
    if (finished > 0) {
        losses.on_finished = static_cast<double>(counts.correct - losses.with_letter_right) / static_cast<double>(finished);
    }
    losses.bounds = manski_bounds(counts.correct, losses.without_letter, counts.scored, choices_of_a_guess).score;
    if (is_full(counts) && losses.without_letter > 0 && table.rows() >= 2) add_estimates(losses, table);
    return losses;
}

}  // namespace assay::statistics

#include "scorers/statistics/counts.hpp"

#include <algorithm>

namespace assay::statistics {
namespace {

std::int64_t& by_state(Counts& counts, CellState state) {
    switch (state) {
        case CellState::complete: return counts.complete;
        case CellState::truncated: return counts.truncated;
        case CellState::answer_in_reasoning: return counts.answer_in_reasoning;
        case CellState::empty: return counts.empty;
        case CellState::filtered: return counts.filtered;
        case CellState::unscored: return counts.unscored;
        case CellState::missing: break;
    }
    return counts.missing;
}

}  // namespace

void count(Counts& counts, const Cell& cell) {
    ++counts.attempts;
    ++by_state(counts, cell.state);
    if (cell.completion_tokens) {
        ++counts.tokens_known;
        counts.completion_tokens += *cell.completion_tokens;
    }
    if (!cell.scored()) return;
    ++counts.scored;
    counts.correct += cell.correct ? 1 : 0;
    counts.no_answer += cell.no_answer() ? 1 : 0;
    if (cell.state != CellState::truncated) return;
    counts.truncated_answered += cell.prediction ? 1 : 0;
    counts.truncated_correct += cell.correct ? 1 : 0;
}

std::span<const Cell> row_of(const SeedTable& table, std::size_t row) {
    return std::span(table.cells).subspan(row * table.columns(), table.columns());
}

bool is_full(const Counts& counts) { return counts.attempts > 0 && counts.scored == counts.attempts; }

std::vector<std::int64_t> correct_by_question(const SeedTable& table, std::span<const std::size_t> rows) {
    std::vector<std::int64_t> correct;
    for (const std::size_t row : rows) {
        const auto cells = row_of(table, row);
        correct.push_back(std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.scored() && cell.correct; }));
    }
    return correct;
}

}  // namespace assay::statistics

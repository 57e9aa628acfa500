// SeedTable: the judged attempts of a run, questions by seeds. Every statistic is computed from it.
//
//              seed 0   seed 1  ...  seed S-1
//   question 0   cell     cell          cell       cell(q, s) = cells[q * seeds.size() + s]
//   question 1   cell     ...
//
// The columns stand in `seeds` order (ascending seed number); the rows in dataset order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::statistics {

enum class CellState : unsigned char {
    complete,             // a finished reply
    truncated,            // cut at the budget; may carry a prediction all the same
    answer_in_reasoning,  // finished, content empty, reasoning not
    empty,                // finished, nothing at all
    filtered,             // stopped by a content filter
    unscored,             // tried and given up: no reply to judge; `why` says which outcome
    missing,              // not tried (yet)
};

// "complete", "answer_in_reasoning", ..: as exports have it.
[[nodiscard]] constexpr const char* to_string(CellState state) noexcept {
    switch (state) {
        case CellState::complete: return "complete";
        case CellState::truncated: return "truncated";
        case CellState::answer_in_reasoning: return "answer_in_reasoning";
        case CellState::empty: return "empty";
        case CellState::filtered: return "filtered";
        case CellState::unscored: return "unscored";
        case CellState::missing: break;
    }
    return "missing";
}

struct Cell {
    CellState state = CellState::missing;
    bool correct = false;                   // false for unscored and missing
    std::optional<std::string> prediction;  // absent: no answer
    std::string why;                        // outcome name of an unscored cell; empty otherwise
    std::optional<std::int64_t> completion_tokens;
    std::optional<std::int64_t> reasoning_tokens;
    bool answer_begun = false;  // there is visible content; a truncated cell without it was cut while thinking
    std::uint64_t digest = 0;   // of reasoning and content, to find replies that are copies; 0: no text

    // Counts towards the score, as right or as wrong.
    [[nodiscard]] bool scored() const noexcept { return state < CellState::unscored; }
    [[nodiscard]] bool no_answer() const noexcept { return scored() && !prediction.has_value(); }
};

struct SeedTable {
    std::vector<int> seeds;               // column labels, ascending, distinct
    std::vector<int> questions;           // row labels: Question::number, in dataset order
    std::vector<std::string> domains;     // one a row; empty text where unknown
    std::vector<std::string> subdomains;  // one a row
    std::vector<Cell> cells;              // row-major, questions.size() * seeds.size()

    [[nodiscard]] std::size_t rows() const noexcept { return questions.size(); }
    [[nodiscard]] std::size_t columns() const noexcept { return seeds.size(); }
    [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const { return cells[row * columns() + column]; }
    [[nodiscard]] Cell& cell(std::size_t row, std::size_t column) { return cells[row * columns() + column]; }
};

}  // namespace assay::statistics

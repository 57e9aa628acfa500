#include "scorers/statistics/truncation_split.hpp"

#include <optional>

#include "scorers/statistics/counts.hpp"

namespace assay::statistics {
namespace {

struct Side {
    Counts all;
    [[nodiscard]] double rate() const { return ratio(all.truncated, all.scored); }
    [[nodiscard]] std::optional<double> finished() const {
        if (all.scored == all.truncated) return std::nullopt;
        return ratio(all.correct - all.truncated_correct, all.scored - all.truncated);
    }
    [[nodiscard]] std::optional<double> cut() const {
        if (all.truncated == 0) return std::nullopt;
        return ratio(all.truncated_correct, all.truncated);
    }
    static double ratio(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }
};

}  // namespace

TruncationSplit truncation_split(const SeedTable& a, const SeedTable& b, std::span<const std::size_t> rows) {
    Side side_a;
    Side side_b;
    TruncationSplit split;
    for (const std::size_t row : rows) {
        Counts here_a;
        Counts here_b;
        for (const Cell& cell : row_of(a, row)) count(here_a, cell);
        for (const Cell& cell : row_of(b, row)) count(here_b, cell);
        for (const Cell& cell : row_of(a, row)) count(side_a.all, cell);
        for (const Cell& cell : row_of(b, row)) count(side_b.all, cell);
        const bool any_cut = here_a.truncated + here_b.truncated > 0;
        const double moved = (*here_b.score() - *here_a.score()) / static_cast<double>(rows.size());
        (any_cut ? split.on_cut_questions : split.on_other_questions) += moved;
        split.questions_cut += any_cut ? 1 : 0;
    }
    split.cut_a = side_a.all.truncated;
    split.cut_b = side_b.all.truncated;
    split.attempts_a = side_a.all.scored;
    split.attempts_b = side_b.all.scored;
    const double f_a = side_a.finished().value_or(side_b.finished().value_or(0));
    const double f_b = side_b.finished().value_or(f_a);
    const double g_a = side_a.cut().value_or(side_b.cut().value_or(0));
    const double g_b = side_b.cut().value_or(g_a);
    const double rate = (side_a.rate() + side_b.rate()) / 2;
    split.by_finished = (1 - rate) * (f_b - f_a);
    split.by_cut = rate * (g_b - g_a);
    split.by_rate = -(side_b.rate() - side_a.rate()) * ((f_a + f_b) / 2 - (g_a + g_b) / 2);
    return split;
}

}  // namespace assay::statistics

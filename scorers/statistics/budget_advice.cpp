#include "scorers/statistics/budget_advice.hpp"

#include <algorithm>

#include "scorers/statistics/survival.hpp"

namespace assay::statistics {
namespace {

constexpr std::int64_t first_budget = 256;

bool has_length(const Cell& cell) {
    return cell.scored() && cell.state != CellState::filtered && cell.completion_tokens && *cell.completion_tokens > 0;
}

}  // namespace

std::optional<BudgetAdvice> budget_advice(const SeedTable& table, double wished) {
    BudgetAdvice out;
    std::vector<Length> lengths;
    for (const Cell& cell : table.cells) {
        if (!has_length(cell)) {
            ++(cell.scored() ? out.left_out : out.without_score);
            continue;
        }
        const bool finished = cell.state != CellState::truncated;
        lengths.push_back({*cell.completion_tokens, finished});
        out.finished += finished ? 1 : 0;
        out.largest = std::max(out.largest, *cell.completion_tokens);
    }
    if (lengths.empty()) return std::nullopt;
    out.cut_short = std::count_if(lengths.begin(), lengths.end(), [&](const Length& one) { return !one.finished && one.tokens < out.largest; });
    out.replies = static_cast<std::int64_t>(lengths.size());
    out.wished = wished;
    const std::vector<SurvivalStep> steps = kaplan_meier(lengths, 0.95);
    for (std::int64_t budget = first_budget; budget < out.largest; budget *= 2) {
        out.smaller.push_back({budget, share_longer_than(steps, budget)});
    }
    out.smaller.push_back({out.largest, share_longer_than(steps, out.largest)});
    out.smallest = budget_for(steps, wished);
    if (out.finished == out.replies) return out;
    out.fitted = fit_lognormal(lengths);
    out.tail = fit_pareto_tail(lengths);
    if (out.smallest) return out;
    const auto beyond = [&](double budget) { return budget > static_cast<double>(out.largest) ? std::optional(budget) : std::nullopt; };
    if (out.fitted) out.extrapolated = beyond(out.fitted->budget_for(wished));
    if (out.tail && wished <= out.tail->share) out.extrapolated_by_tail = beyond(out.tail->budget_for(wished));
    return out;
}

}  // namespace assay::statistics

#include "scorers/statistics/pareto_tail.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scorers/statistics/sums.hpp"

namespace assay::statistics {
namespace {

constexpr double usual_share = 0.1;
constexpr double most_cut = 0.25;
constexpr std::int64_t fewest_finished = 10;

}  // namespace

double ParetoTail::budget_for(double share_longer) const {
    return static_cast<double>(threshold) * std::pow(share / share_longer, 1 / alpha);
}

std::optional<ParetoTail> fit_pareto_tail(std::span<const Length> lengths) {
    const auto n = static_cast<double>(lengths.size());
    const auto cut = static_cast<double>(std::count_if(lengths.begin(), lengths.end(), [](const Length& l) { return !l.finished; }));
    if (cut > most_cut * n) return std::nullopt;
    const std::vector<SurvivalStep> steps = kaplan_meier(lengths, 0.95);
    const auto threshold = budget_for(steps, std::max(usual_share, 2 * cut / n));
    if (!threshold) return std::nullopt;
    ParetoTail tail;
    tail.threshold = *threshold;
    tail.share = share_longer_than(steps, *threshold);
    // In order of length, so that the sum does not depend on the order of replies.
    std::vector<std::int64_t> above;
    for (const Length& length : lengths) {
        if (length.tokens <= *threshold) continue;
        above.push_back(length.tokens);
        tail.finished += length.finished ? 1 : 0;
    }
    std::sort(above.begin(), above.end());
    Sum logs;
    for (const std::int64_t tokens : above) logs.add(std::log(static_cast<double>(tokens) / static_cast<double>(*threshold)));
    tail.above = std::ssize(above);
    if (tail.finished < fewest_finished) return std::nullopt;
    tail.alpha = static_cast<double>(tail.finished) / logs.value();
    return tail;
}

}  // namespace assay::statistics

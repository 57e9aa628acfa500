#include "scorers/statistics/survival.hpp"

#include <cmath>
#include <map>

#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

struct Ends {
    std::int64_t finished = 0;
    std::int64_t all = 0;
};

}  // namespace

std::vector<SurvivalStep> kaplan_meier(std::span<const Length> lengths, double level) {
    std::map<std::int64_t, Ends> by_length;
    for (const Length& length : lengths) {
        Ends& ends = by_length[length.tokens];
        ++ends.all;
        ends.finished += length.finished ? 1 : 0;
    }
    const double z = two_sided_z(level);
    auto at_risk = static_cast<std::int64_t>(lengths.size());
    double longer = 1;
    double greenwood = 0;
    std::vector<SurvivalStep> steps;
    for (const auto& [tokens, ends] : by_length) {
        if (ends.finished > 0) {
            const double n = static_cast<double>(at_risk);
            const double d = static_cast<double>(ends.finished);
            longer *= (n - d) / n;
            SurvivalStep step{tokens, at_risk, ends.finished, longer, std::nullopt, std::nullopt};
            if (longer > 0) {
                greenwood += d / (n * (n - d));
                const double log_scale = std::sqrt(greenwood) / std::log(longer);  // below 0
                step.standard_error = longer * std::sqrt(greenwood);
                step.interval = Interval{std::pow(longer, std::exp(-z * log_scale)), std::pow(longer, std::exp(z * log_scale))};
            }
            steps.push_back(step);
        }
        at_risk -= ends.all;
    }
    return steps;
}

double share_longer_than(std::span<const SurvivalStep> steps, std::int64_t tokens) {
    double longer = 1;
    for (const SurvivalStep& step : steps) {
        if (step.tokens > tokens) break;
        longer = step.longer;
    }
    return longer;
}

std::optional<std::int64_t> budget_for(std::span<const SurvivalStep> steps, double share) {
    for (const SurvivalStep& step : steps) {
        if (step.longer <= share) return step.tokens;
    }
    return std::nullopt;
}

}  // namespace assay::statistics

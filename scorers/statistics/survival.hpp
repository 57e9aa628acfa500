// How long replies would have been: Kaplan and Meier 1958 on token counts, a truncated reply being censored at its
// budget. Standard errors by Greenwood, intervals on the log(-log) scale.
//
// Only replies that finished and replies cut at the budget belong here: a timeout or a server's abort is not
// uninformative censoring. With one budget for all, this is the share longer than t below it and says nothing above it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct Length {
    std::int64_t tokens = 0;
    bool finished = true;  // false: cut at the budget
};

struct SurvivalStep {
    std::int64_t tokens = 0;
    std::int64_t at_risk = 0;                // replies at least that long, those censored there included
    std::int64_t finished = 0;               // finished at exactly that length
    double longer = 0;                       // estimated share longer than that
    std::optional<double> standard_error;    // absent where nothing is longer
    std::optional<Interval> interval;        // likewise
};

// One step for each length at which a reply finished, rising.
[[nodiscard]] std::vector<SurvivalStep> kaplan_meier(std::span<const Length> lengths, double level);

// Share that a budget would truncate: those longer than it. Only up to the largest budget used is it identified.
[[nodiscard]] double share_longer_than(std::span<const SurvivalStep> steps, std::int64_t tokens);
// The smallest length whose share of longer replies is at most `share`; absent: not identified with these budgets.
[[nodiscard]] std::optional<std::int64_t> budget_for(std::span<const SurvivalStep> steps, double share);

}  // namespace assay::statistics

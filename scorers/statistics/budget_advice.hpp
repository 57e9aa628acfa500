// What a smaller or larger budget would do, from the lengths of the replies on record.
//
// Finished replies have their length; cut ones are at least as long as where they were cut (censored: survival.hpp). Up to where
// the first was cut the share is a plain count. Filtered, unscored and missing cells, and cells without a token count, say
// nothing of lengths and are counted apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scorers/statistics/lognormal_lengths.hpp"
#include "scorers/statistics/pareto_tail.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

struct BudgetShare {
    std::int64_t budget = 0;
    double longer = 0;  // share of replies that this budget would cut
};

struct BudgetAdvice {
    std::int64_t replies = 0;   // with a length
    std::int64_t finished = 0;
    std::int64_t left_out = 0;  // scored, without a length to go by
    std::int64_t without_score = 0;  // unscored and missing cells: of an interrupted run, mostly the long ones
    std::int64_t cut_short = 0;  // cut, and shorter than `largest`: shares above the shortest of them are estimates (Kaplan and Meier)
    std::int64_t largest = 0;   // the longest length on record: above it nothing is identified
    std::vector<BudgetShare> smaller;  // powers of two from 256 on, below `largest`, and `largest`; rising
    double wished = 0;
    std::optional<std::int64_t> smallest;  // budget whose share is at most `wished`; absent: not identified
    // Extrapolation, by a lognormal fitted to all lengths; absent where it cannot be fitted or nothing was cut.
    std::optional<LognormalLengths> fitted;
    std::optional<double> extrapolated;  // where `smallest` is absent: the budget it gives for `wished`; absent where that is
                                         // no longer than what was used, so that the fit contradicts the data
    // The same from another family, for the longest replies alone; absent where too few finished to fit it.
    std::optional<ParetoTail> tail;
    std::optional<double> extrapolated_by_tail;  // likewise
};

// 0 < wished < 1. Absent where no reply has a length.
[[nodiscard]] std::optional<BudgetAdvice> budget_advice(const SeedTable& table, double wished);

}  // namespace assay::statistics

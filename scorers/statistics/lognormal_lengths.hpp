// Reply lengths as a lognormal distribution cut off at the budgets, by maximum likelihood: an extrapolation above the
// budgets used, to be labelled as one. Replies that loop would never finish at any budget; no such model sees that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/survival.hpp"

namespace assay::statistics {

struct LognormalLengths {
    double mu = 0;     // of log tokens
    double sigma = 0;
    double log_likelihood = 0;  // sum over finished of log(phi(z) / (sigma t)), over cut of log(1 - Phi(z))

    [[nodiscard]] double share_longer_than(double tokens) const;
    [[nodiscard]] double budget_for(double share) const;  // 0 < share < 1
};

// Lengths above 0. Absent where fewer than two different lengths finished, or no maximum was found.
[[nodiscard]] std::optional<LognormalLengths> fit_lognormal(std::span<const Length> lengths);

}  // namespace assay::statistics

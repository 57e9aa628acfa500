// The longest replies as a Pareto tail cut off at the budgets: beside the lognormal, an extrapolation from another family.
//
// Above a threshold u, P(T > t) = p_u (u/t)^alpha, with alpha by maximum likelihood (Hill 1975, censored):
//   alpha = replies above u that finished / sum over all above u of log(length / u)
// and p_u the share longer than u (survival.hpp). u leaves the top 10 % above it, or twice the share that was cut where that is
// more, so that as many finished as were cut speak for the tail. A heavy tail asks for far larger budgets than a lognormal:
// where the two differ much, the lengths on record do not settle it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/survival.hpp"

namespace assay::statistics {

struct ParetoTail {
    std::int64_t threshold = 0;  // u
    double share = 0;            // p_u
    double alpha = 0;            // below 1 even the mean length is infinite
    std::int64_t above = 0;      // replies longer than u
    std::int64_t finished = 0;   // of these

    // The budget that this share of replies would exceed; 0 < share_longer <= share.
    [[nodiscard]] double budget_for(double share_longer) const;
};

// Lengths above 0. Absent where fewer than ten replies above the threshold finished, or more than a quarter of all was cut.
[[nodiscard]] std::optional<ParetoTail> fit_pareto_tail(std::span<const Length> lengths);

}  // namespace assay::statistics

// What other budgets would have cut, from the lengths of a run's replies (scorers/statistics/budget_advice.hpp).
#pragma once

#include <optional>
#include <string>

#include "reports/score/run_header.hpp"
#include "reports/terminal/style.hpp"
#include "scorers/statistics/budget_advice.hpp"

namespace assay::reports {

// A section for the end of a report. Wrapped to look.width, ends with LF.
[[nodiscard]] std::string budget_text(const RunHeader& header, const std::optional<statistics::BudgetAdvice>& advice, const Look& look);

// One object, "format": "assay.budget_advice/1", ASCII, ended by LF:
//   run, budget, replies, finished, left_out, largest, shares [{budget, longer}], wished, smallest or null (not identified),
//   extrapolation {method, mu, sigma, budget or null} or null: by a lognormal of all lengths
//   extrapolation_by_tail {method, threshold, share, alpha, above, finished, budget or null} or null: by the longest alone
[[nodiscard]] std::string budget_json(const RunHeader& header, const std::optional<statistics::BudgetAdvice>& advice);

}  // namespace assay::reports

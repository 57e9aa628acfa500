// A score as JUnit's XML: whether every attempt has a score, and whether pass@1 reaches what was asked of it.
#pragma once

#include <optional>
#include <string>

#include "reports/junit/test_suite.hpp"
#include "reports/score/run_header.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

// `fail_under` in percent, and what came of it; without one the score stands as output of the case that every attempt has one.
struct ScoreLimit {
    double fail_under = 0;
    CaseEnd end = CaseEnd::undecided;
};

[[nodiscard]] std::string score_junit(const RunHeader& header, const statistics::Summary& summary, const std::optional<ScoreLimit>& limit);

}  // namespace assay::reports

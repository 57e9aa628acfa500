// What a run's looks come to, for its report.
#pragma once

#include <optional>

#include "datasets/runs/run_reader.hpp"
#include "reports/score/stopping.hpp"

namespace assay::runners {

// Nothing where no rule to stop was ever given.
[[nodiscard]] std::optional<reports::Stopping> stopping_of(const runs::RunContents& contents);

// Adds the coverage of the interval for this test, from the sd of the seeds' scores; where the rule is one of precision.
void add_coverage(reports::Stopping& stopping, double seed_sd);

}  // namespace assay::runners

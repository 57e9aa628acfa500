// StopRule: what --stop-when asks for, and the run that a gate is held against.
#pragma once

#include <optional>
#include <string>

#include "runners/drivers/judged_run.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

struct StopRule {
    std::string text;                  // as recorded: "this-test<=0.7", "gate-decided, margin 2, reference runs/a"
    std::optional<double> half_width;  // a fraction: stop where the interval for this test is at most so far to either side
    std::optional<double> margin;      // a fraction: stop where the gate against `reference` passes or fails
    std::string reference;             // path of a run; empty without a margin
};

// `stop_when` as given; gate in points. Nothing where all are unset. Throws assay::Error naming the flag.
[[nodiscard]] std::optional<StopRule> parse_stop_rule(const std::optional<std::string>& stop_when, const std::optional<double>& gate,
                                                      const std::optional<std::string>& reference);

// The table of the rule's reference run, for a gate of a run with that plan over these questions, judged by `extractor` or the usual one.
// Nothing for a rule without a gate. Throws assay::Error where the two could not be compared, naming the differences, and where so many
// of the reference's attempts have no score that the gate could not be decided.
[[nodiscard]] std::optional<statistics::SeedTable> reference_table(const StopRule& rule, const runs::Plan& plan, const questions::QuestionSet& set,
                                                                   const std::optional<std::string>& extractor);

}  // namespace assay::runners

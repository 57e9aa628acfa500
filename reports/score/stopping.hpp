// Stopping: what a report says of a run that was looked at while its seeds were added (--stop-when). Fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay::reports {

struct Stopping {
    std::string rule;      // of the last look: "this-test<=0.7"
    std::string decision;  // of it: "stop", "go on", "end" (never met), "lifted" (stopped, and continued by a later command)
    int seeds = 0;         // looked at last
    int seeds_asked = 0;
    int looks = 0;         // made by this rule
    std::int64_t replies_outside = 0;  // on record and in no figure
    std::optional<double> bound;       // half-width wished for, or the gate's margin
    std::optional<double> half_width;  // of the last look
    std::optional<double> lower;
    std::optional<double> upper;
    std::optional<double> level;       // one-sided
    std::string verdict;               // of the gate: "PASS", ...; empty for another rule
    // How often an interval for this test that was found by such looks holds what it should, where it claims 95 %.
    std::optional<double> coverage;
};

}  // namespace assay::reports

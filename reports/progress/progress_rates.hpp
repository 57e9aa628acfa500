// ProgressRates: how fast a run goes and how long it will take, from counters looked at now and then.
//
// Seconds are of any steady clock. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "harness/progress.hpp"
#include "reports/progress/progress_text.hpp"

namespace assay::reports {

class ProgressRates {
public:
    // Reads the counters and remembers them. The first call is the start of the clock.
    // Tokens per second are those of the last ten seconds. Time left is remaining attempts over the rate at which
    // attempts were finished lately: in the shortest stretch of at least a minute and 50 attempts, or since the start.
    // What was done before this process is in neither. Time left is unknown until this process has finished as many
    // attempts as are in flight, or 50, and at least 5: the first to come back are the short ones.
    [[nodiscard]] ProgressSnapshot look(double now_s, const Progress& progress);

private:
    struct Sample {
        double at_s;
        std::int64_t done;
        std::int64_t events;
    };

    [[nodiscard]] std::optional<double> events_per_second() const;
    [[nodiscard]] std::optional<double> done_per_second() const;

    std::deque<Sample> samples_;  // a second or more apart but for the last; the first stays
};

}  // namespace assay::reports

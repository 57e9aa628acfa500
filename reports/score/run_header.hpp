// RunHeader: what a report says of a run besides its scores. Filled by whoever loads the run.
//
// Every text may come from outside; each renderer makes it safe for its sink. Empty text: unknown, not shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/runs/audited_checkpoint.hpp"
#include "datasets/runs/client_work.hpp"
#include "datasets/runs/plan.hpp"
#include "reports/score/stopping.hpp"

namespace assay::reports {

// What driving the endpoint took. Tries are counted over every process that worked on the run.
struct Effort {
    std::int64_t tries = 0;             // requests sent
    std::int64_t retries = 0;           // tries after the first of their attempt
    std::int64_t attempts_retried = 0;  // attempts that took two tries or more
    // Tries that brought no reply to judge, by outcome name, in the order they are to be shown; none of 0.
    std::vector<std::pair<std::string, std::int64_t>> failed_tries;
    int processes = 0;                   // that worked on the run; 0: unknown
    std::optional<double> first_unix_s;  // when the first try was sent
    std::optional<double> last_unix_s;   // when the last reply ended
    std::vector<runs::ClientWork> work{};  // one a session
};

struct RunHeader {
    std::string tool_version;        // "0.1.0"
    std::string run;                 // as the user named it
    std::string source;              // where the attempts were read: "journal", "NeMo-Skills results"
    runs::Plan plan;                 // plan.simulated, where not empty, makes every report start with SIMULATED
    std::string plan_hash;           // lower-case hex
    std::string extractor;           // that judged: "nemo-v3"
    std::string endpoint;            // without secrets
    std::optional<Effort> effort;    // unknown for an imported run
    std::optional<Stopping> stopping;  // where --stop-when was given
    std::optional<runs::AuditedCheckpoint> checkpoint;  // where --checkpoint was given
    std::vector<std::pair<std::string, std::string>> server;  // what it said of itself, in the order to show
    std::vector<std::string> loaded;  // of that, which checkpoint it says it loaded
    std::vector<std::string> notes;    // one line each, in order
};

}  // namespace assay::reports

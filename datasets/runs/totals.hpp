// Totals: what all tries of a run came to, whatever became of their attempts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/runs/run_info.hpp"
#include "harness/chat/outcome.hpp"

namespace assay::runs {

struct Totals {
    std::int64_t tries = 0;                                 // on record
    std::array<std::int64_t, chat::outcome_count> by_outcome{};  // of tries, indexed by chat::Outcome
    std::int64_t interrupted = 0;  // begun, and how they ended is not on record
    std::vector<Session> sessions;  // in the order of the journal
    std::optional<double> first_unix_s;  // earliest begin of a try
    std::optional<double> last_unix_s;   // latest end of one
};

}  // namespace assay::runs

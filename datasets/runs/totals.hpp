// Totals: what all tries of a run came to, whatever became of their attempts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/runs/client_work.hpp"
#include "datasets/runs/look.hpp"
#include "datasets/runs/run_info.hpp"
#include "harness/chat/outcome.hpp"

namespace assay::runs {

// How long a try that was dropped or timed out had lasted, and had been silent, when it ended.
struct Break {
    double age_s = 0;      // since it was connected (or sent)
    double silence_s = 0;  // since its last byte (or since it was connected)
};
inline constexpr std::size_t most_breaks = 100'000;  // kept

struct Totals {
    std::int64_t tries = 0;                                 // on record
    std::array<std::int64_t, chat::outcome_count> by_outcome{};  // of tries, indexed by chat::Outcome
    std::int64_t interrupted = 0;  // begun, and how they ended is not on record
    std::vector<ClientWork> work;   // one a session that lasted long enough to say, in the order of the journal
    std::vector<Session> sessions;  // in the order of the journal
    std::optional<double> first_unix_s;  // earliest begin of a try
    std::optional<double> last_unix_s;   // latest end of one
    std::vector<Break> breaks;           // of tries whose outcome is dropped, the first ones
    // Of scored tries.
    std::int64_t missing_done = 0;
    std::int64_t unterminated_events = 0;
    std::int64_t with_ignored_chunks = 0;
    std::int64_t accepted_without_finish = 0;
    std::vector<std::string> notes;      // of the note records, each once
    std::vector<Look> looks;             // in the order of the journal
};

}  // namespace assay::runs

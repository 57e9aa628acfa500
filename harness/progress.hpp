// Progress: counters of a run that is going on, written by whoever does the work and read by whoever shows it.
//
// Threads: every counter is atomic and independent; a reader sees each at some recent value, and their sum
// need not be consistent. Counters only: nothing is formatted here.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

struct Progress {
    using Counter = std::atomic<std::int64_t>;

    Counter attempts{0};          // of the plan, with those done before this process started
    Counter done_before{0};       // final when this process started
    Counter done{0};              // final now, done_before included
    Counter unscored{0};          // of done
    Counter in_flight{0};
    Counter waiting_to_retry{0};
    Counter retries{0};           // tries after the first
    Counter truncated{0};         // of done
    Counter judged_in_order{0};   // leading attempts, in dispatch order, that are all judged
    Counter correct_in_order{0};  // of judged_in_order
    Counter text_events{0};       // deltas with text received by this process
    Counter known_tokens{0};      // completion tokens of replies finished by this process, as the server counted
    Counter known_token_events{0};  // text events of the same replies
};

}  // namespace assay

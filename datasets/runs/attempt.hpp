// Attempt: where one (question, seed) of a run stands after all its tries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/chat/reply.hpp"

namespace assay::runs {

// The identity of an attempt. Ordered by seed, then question.
struct AttemptKey {
    int seed = 0;      // the seed's number, as sent
    int question = 0;  // Question::number

    friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
};

struct Attempt {
    AttemptKey key;
    int tries = 0;          // tries that were sent, this one included; 0: never sent
    std::string session;    // id of the process that made the last try
    // The last try: final where chat::is_scored(reply.outcome) or nothing more will be tried, and the reason
    // for "unscored" otherwise.
    chat::Reply reply;
    std::optional<double> started_unix_s;  // when the last try was sent; unset where the journal does not say
    std::optional<double> ended_unix_s;
};

}  // namespace assay::runs

// RetryPolicy: whether a try that failed is made again, and after how long.
//
// Pure: no clock and no random numbers; the jitter is a function of (seed, question, try), so that two runs wait alike.
// A reply that is scored is final, whatever is in it: trying again because it was cut or empty would favour short
// replies. A refused one is not tried again either; see StopRule for what stops the run.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "harness/chat/reply.hpp"

namespace assay::pacing {

struct RetryLimits {
    int tries = 5;        // of one attempt, those turned away not counted
    int turned_away = 40;  // times one attempt may be turned away
    std::chrono::milliseconds first_delay{1'000};
    std::chrono::milliseconds longest_delay{60'000};
    std::chrono::milliseconds longest_retry_after{120'000};
};

// True where the server generated nothing and asked for patience, or was not there: status 429 or 503, or no connection.
[[nodiscard]] bool was_turned_away(const chat::Reply& reply) noexcept;

// What the server asked for in seconds, clamped to [0, longest]: nothing unless it turned the request away with 429 or
// 503 (or 402) and said so.
[[nodiscard]] std::optional<std::chrono::milliseconds> clamped_retry_after(const chat::Reply& reply, std::chrono::milliseconds longest) noexcept;

// The tries of one attempt so far, the last included.
struct History {
    int seed = 0;
    int question = 0;
    int tries = 0;
    int turned_away = 0;  // of these
};

enum class Verdict : unsigned char {
    done,     // scored: final
    retry,    // after `delay`
    give_up,  // unscored
};

struct Decision {
    Verdict verdict = Verdict::done;
    std::chrono::milliseconds delay{0};
};

class RetryPolicy {
public:
    explicit RetryPolicy(RetryLimits limits) : limits_(limits) {}

    // Delays double from first_delay to longest_delay, times a factor in [0.5, 1). After 429 and 503 the gate of the
    // whole endpoint says when the next one goes (pacing::Gate): the request itself waits as long as Retry-After said, or
    // not at all, and up to first_delay more, so that those who were told the same do not come back at once.
    [[nodiscard]] Decision after(const chat::Reply& reply, const History& history) const noexcept;

private:
    RetryLimits limits_;
};

// In [0, 1), equal for equal arguments; SplitMix64 (Steele, Lea, Flood 2014) over the three numbers.
[[nodiscard]] double jitter(int seed, int question, int tries) noexcept;

}  // namespace assay::pacing

// Gate: one for a whole endpoint, shut for a while when the endpoint turns requests away, then opened slowly.
//
// While it is shut nothing new is sent; what is in flight goes on. Once its time has come it lets a request
// through, then as many as have doubled each second (1, 2, 4, ... in all), until what was in flight when it shut is
// reached; then it is open. Being turned away again shuts it for longer, up to a bound, and lets so many more through
// when it opens, up to a bound too: after a pause of n doublings of the first, 2^n. So a storm is met with no more than about a
// request a second, and less the longer it lasts, and ends for us soon after it ends, be it a storm of so many seconds or of
// so many requests. A reply that begins to come, to a request sent since the gate last opened, forgets that: a pause of
// its own choice becomes the first one.
// Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace assay::pacing {

struct GateLimits {
    std::chrono::milliseconds first_pause{1'000};
    std::chrono::milliseconds longest_pause{30'000};  // of those it chooses itself, doubling
    std::int64_t most_at_once = 8;                    // let through when it opens
    std::chrono::milliseconds ramp_step{1'000};       // in which what it lets through doubles
};

class Gate {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Gate(GateLimits limits) : limits_(limits) {}

    // A request that was sent at `sent` has been turned away. Shuts the gate for `retry_after` (clamped by the caller) or,
    // without one, for a pause of its own. Of the many turned away together only the first lengthens its pauses.
    void turned_away(Time now, Time sent, std::optional<std::chrono::milliseconds> retry_after, std::int64_t in_flight);

    // A request that was sent at `sent` has been answered, or begins to be.
    void answered(Time sent);

    // True where one more may be sent now; the caller then says so with sent().
    [[nodiscard]] bool open(Time now) const noexcept;
    void sent(Time now) noexcept;

    // When to ask again where open() said no.
    [[nodiscard]] Time opens_at(Time now) const noexcept;

    [[nodiscard]] int pauses() const noexcept { return pauses_; }  // so far

private:
    [[nodiscard]] bool ramping() const noexcept { return shut_until_ && let_through_ < ramp_end_; }
    [[nodiscard]] std::int64_t permits(Time now) const noexcept;  // in all since it opened

    GateLimits limits_;
    std::optional<Time> shut_until_;  // of the last pause
    std::optional<Time> opened_at_;   // before it
    Time shut_at_{};
    bool own_choice_ = false;  // the last pause
    int in_a_row_ = 0;  // pauses without an answer between them
    int pauses_ = 0;
    std::int64_t at_once_ = 1;      // let through when it opens
    std::int64_t let_through_ = 0;  // since the last pause
    std::int64_t ramp_end_ = 0;
};

}  // namespace assay::pacing

// Gate: one for a whole endpoint, shut for a while when the endpoint turns requests away, then opened slowly.
//
// While it is shut nothing new is sent; what is in flight goes on. Once its time has come it lets one request
// through, then as many as have doubled each second (1, 2, 4, ... in all), until what was in flight when it shut is
// reached; then it is open. Being turned away again shuts it for longer, up to a bound; an answer forgets that.
// Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace assay::pacing {

struct GateLimits {
    std::chrono::milliseconds first_pause{1'000};
    std::chrono::milliseconds longest_pause{60'000};  // of those it chooses itself, doubling
    std::chrono::milliseconds ramp_step{1'000};       // in which what it lets through doubles
};

class Gate {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Gate(GateLimits limits) : limits_(limits) {}

    // A request that was sent at `sent` has been turned away. Shuts the gate for `retry_after` (clamped by the caller) or,
    // without one, for a pause of its own. Of the many turned away together only the first lengthens its pauses.
    void turned_away(Time now, Time sent, std::optional<std::chrono::milliseconds> retry_after, std::int64_t in_flight);

    // A request that was sent at `sent` has been answered, well or not.
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
    Time shut_at_{};
    int in_a_row_ = 0;  // pauses without an answer between them
    int pauses_ = 0;
    std::int64_t let_through_ = 0;  // since the last pause
    std::int64_t ramp_end_ = 0;
};

}  // namespace assay::pacing

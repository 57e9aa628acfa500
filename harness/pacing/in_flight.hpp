// InFlight: how many requests were in flight, over time, while there was work to send, and what held more of them back.
//
// The tail of a run, when nothing is left to send, does not count: there the number must fall.
// Pure: every instant is handed in, and none before the last. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace assay::pacing {

// What keeps the next request from being sent.
enum class Hold : unsigned char {
    nothing,
    server,  // it asked for patience, or is away
    rates,   // a bound on requests or tokens a minute
    text,    // the budget for text of replies
};

class InFlight {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr double near = 0.95;  // of the target, from which on it counts as reached

    struct Seen {
        double seconds = 0;            // with work to send
        double request_seconds = 0;    // requests in flight, summed over that time
        double seconds_at_target = 0;  // of seconds: with nearly as many in flight as wanted, or more
        std::array<double, 4> held{};  // of seconds: with fewer than wanted, by Hold; the first: held by nothing but the client
        std::int64_t most = 0;         // at any time
        [[nodiscard]] double mean() const { return seconds > 0 ? request_seconds / seconds : 0; }
        [[nodiscard]] double share_at_target() const { return seconds > 0 ? seconds_at_target / seconds : 0; }
        [[nodiscard]] double held_by(Hold hold) const { return held[static_cast<std::size_t>(hold)]; }
    };

    // From now on `count` are in flight, and `target` are wanted; no target: there is no work to send.
    void set(Time now, std::int64_t count, std::optional<std::int64_t> target, Hold hold = Hold::nothing) {
        seen_ = seen(now);
        since_ = now;
        count_ = count;
        target_ = target;
        hold_ = hold;
        seen_.most = std::max(seen_.most, count);
    }

    [[nodiscard]] Seen seen(Time now) const {
        Seen all = seen_;
        if (!target_) return all;
        const double passed = std::chrono::duration<double>(now - since_).count();
        all.seconds += passed;
        all.request_seconds += passed * static_cast<double>(count_);
        if (static_cast<double>(count_) >= near * static_cast<double>(*target_)) all.seconds_at_target += passed;
        if (count_ < *target_) all.held[static_cast<std::size_t>(hold_)] += passed;
        return all;
    }

private:
    Seen seen_;
    Time since_{};
    std::int64_t count_ = 0;
    std::optional<std::int64_t> target_;
    Hold hold_ = Hold::nothing;
};

}  // namespace assay::pacing

// TokenBucket: an upper bound on how much is sent in a minute, with whatever has been saved up for a moment.
//
// It fills at `per_minute` and holds what comes in `burst`; a request may be sent while it is not in debt, and takes
// its cost at once, so that one that costs more than the bucket holds is possible and the next waits longer.
// Source: the token bucket of RFC 2697, colours aside. Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <chrono>

namespace assay::pacing {

class TokenBucket {
public:
    using Time = std::chrono::steady_clock::time_point;

    // per_minute > 0. Full at first.
    explicit TokenBucket(double per_minute, std::chrono::milliseconds burst = std::chrono::seconds(1));

    [[nodiscard]] bool open(Time now) const;
    [[nodiscard]] Time opens_at(Time now) const;  // `now` where it is open
    void take(Time now, double cost);

    // Gives back (or, below 0, takes further) what turned out to be wrong of a cost.
    void correct(Time now, double surplus);

private:
    [[nodiscard]] double level(Time now) const;

    double per_second_;
    double most_;
    double level_;
    Time at_{};
    bool started_ = false;
};

}  // namespace assay::pacing

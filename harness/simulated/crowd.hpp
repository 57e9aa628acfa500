// Crowd: how fast all replies of a server come when more are in flight than it can write at full speed.
//
// Up to `most` replies each comes at its own speed; above that all slow down together, at once, so that the tokens a second
// of all together stay those of `most`. Time is kept as work: seconds of writing at full speed.
// Threads: the server's only.
#pragma once

#include <chrono>
#include <cstdint>

namespace assay::simulated {

class Crowd {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Work = std::chrono::duration<double, std::nano>;

    // `in_flight` are being answered from now on. Instants never run backwards.
    void advance(Time now, std::int64_t in_flight, std::int64_t most) {
        if (started_) done_ += Work(now - at_) * speed_;
        started_ = true;
        at_ = now;
        speed_ = in_flight > most ? static_cast<double>(most) / static_cast<double>(in_flight) : 1.0;
    }

    // Work that each reply in flight was given since the start, as of the last advance().
    [[nodiscard]] Work done() const { return done_; }
    // When it will have been given that much, should nothing change.
    [[nodiscard]] Time when(Work done) const { return at_ + std::chrono::duration_cast<Time::duration>((done - done_) / speed_); }

private:
    bool started_ = false;
    Time at_{};
    Work done_{0};
    double speed_ = 1;
};

}  // namespace assay::simulated

// Concurrency: how many requests to keep in flight to one server, found from what it does with them.
//
//                 text grows nearly as the requests         it does not, or the ceiling is reached
//     start: x 2 <------------------------ start    start -----------------------------------------> steady
//     steady --some time--> probe: one step more, or a seventh less, in turn --> steady, with the better of the two
//     anything --turned away (429, 503)--> less at once: back to where the probe came from, else half; and a ceiling
//
// The signal is the text of all replies together, in events a second: replies last minutes, so that their number a
// second says nothing for a long time, but a server that is not full writes more where more is asked of it. Where the
// text does not grow by at least a quarter of the share by which the requests grew, they queue: the number falls back to
// what was enough. A server that slows down by and by is so filled until a tenth more requests bring 2.5 % more text.
//
// Additive increase: a step is a quarter of what the doubling found, an eighth of the target at least, and halves each
// time it was refused. Multiplicative decrease: by what the queue held, by a seventh, or by half. As in Chiu and Jain
// 1989; the doubling and its threshold are slow start in RFC 5681. What was refused is not tried again for a minute,
// then two, and so on; where neither more nor less is better, probes become rarer in the same way.
//
// What is measured: nothing until half of the requests that were added have begun to answer (or three times as long as
// first words took so far), or until as many have ended as are no longer wanted. Then windows are added up until the
// mean is known closely enough to tell. A window in which fewer were in flight than wanted (the work ends, the gate is
// shut) tells nothing.
// Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace assay::pacing {

struct ConcurrencyLimits {
    std::int64_t first = 16;
    std::int64_t least = 1;
    std::int64_t most = 4096;
};

class Concurrency {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Concurrency(ConcurrencyLimits limits);

    [[nodiscard]] std::int64_t target() const noexcept { return target_; }
    // What was found so far: the target, or where the probe that is going on departed from.
    [[nodiscard]] std::int64_t found() const noexcept { return phase_ == Phase::probe ? base_ : target_; }

    // A request that was sent at `sent` has been turned away. `newest_begun`: when the latest of those was sent that have
    // begun to answer. One decrease for all that were sent before it, and one for a storm: none while no request
    // that was sent since the last decrease has begun to answer.
    void turned_away(Time now, Time sent, std::optional<Time> newest_begun);

    // What was seen since the last call, a second or so.
    struct Window {
        double seconds = 0;
        double mean_in_flight = 0;
        std::int64_t text_events = 0;
        std::int64_t begun = 0;         // replies whose first text came
        double first_text_wait_s = 0;   // from sending to first text, summed over these
    };
    void window(const Window& seen);

private:
    enum class Phase : unsigned char { start, steady, probe };

    // Windows measured with one target.
    struct Measured {
        int windows = 0;
        double sum = 0;      // of text events a second
        double squares = 0;  // of the same
        double in_flight = 0;
        void add(const Window& seen);
        [[nodiscard]] double rate() const { return sum / windows; }
        [[nodiscard]] double mean_in_flight() const { return in_flight / windows; }
        [[nodiscard]] double relative_error() const;  // standard error of rate() over rate()
    };

    void go(Phase phase, std::int64_t target);
    [[nodiscard]] bool settled(const Window& seen);
    [[nodiscard]] bool known(int least_windows, double error) const;
    void after_start();
    void probe();
    void after_probe();
    void rest_at(std::int64_t target);
    [[nodiscard]] std::int64_t step() const;
    [[nodiscard]] std::int64_t highest() const;
    // Text gained from `before` to `after`, as a share of the requests gained; the same with both lost.
    [[nodiscard]] static double elasticity(const Measured& before, const Measured& after);

    ConcurrencyLimits limits_;
    std::int64_t target_;
    Phase phase_ = Phase::start;
    Measured now_;
    std::optional<Measured> reference_;  // of the base, or of the step before while doubling

    std::int64_t base_ = 0;   // the target that a probe departs from
    std::int64_t step_ = 1;
    bool upwards_ = true;     // the direction of the next probe
    int fruitless_ = 0;       // probes in a row
    int idle_ = 0;            // windows to pass over before the next probe is prepared

    std::optional<std::int64_t> ceiling_;  // not to be passed while it holds
    std::int64_t ceiling_until_ = 0;       // in windows_
    std::int64_t ceiling_holds_ = 0;       // windows
    std::optional<Time> decreased_at_;

    std::int64_t windows_ = 0;         // so far
    int since_change_ = 0;             // windows since the target changed
    std::int64_t added_ = 0;           // by that change
    std::int64_t begun_ = 0;           // replies that began since then
    bool settling_ = true;
    double first_text_s_ = 0;          // usual wait for the first text
};

}  // namespace assay::pacing

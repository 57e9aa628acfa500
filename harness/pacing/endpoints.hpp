// Endpoints: which of several servers takes the next request.
//
//            failures in a row            its time has come          one request answered
//   in use -------------------> out ---------------------> on trial ---------------------> in use
//                                ^                             |
//                                +--- it failed: for longer ---+
//
// The one with the fewest requests in flight is chosen; of equals the one that was chosen longest ago. One that is
// on trial takes a single request. A lone endpoint is never taken out: there is nobody to go to.
// Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace assay::pacing {

struct EndpointLimits {
    int failures = 3;  // in a row
    std::chrono::milliseconds first_out{10'000};  // doubling each time a trial fails
    std::chrono::milliseconds longest_out{300'000};
};

class Endpoints {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Index = std::size_t;  // in the order they were given

    Endpoints(std::size_t count, EndpointLimits limits);

    // The one to send to now, of those for which `open` holds; nothing where there is none.
    [[nodiscard]] std::optional<Index> choose(Time now, const std::function<bool(Index)>& open) const;
    void sent(Index index);

    // A request has ended that was sent to it; `failed`: the server was not there, or gave no reply that can be
    // used and no reason to come back later.
    void ended(Index index, bool failed, Time now);

    // When it takes a request again, as far as this knows: `now` where it does.
    [[nodiscard]] Time back_at(Index index, Time now) const;

    [[nodiscard]] std::int64_t in_flight(Index index) const { return states_[index].in_flight; }
    [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }
    [[nodiscard]] int times_out(Index index) const { return states_[index].times_out; }  // so far

private:
    struct State {
        std::int64_t in_flight = 0;
        int failures = 0;  // in a row
        int outs = 0;      // in a row, without an answer between them
        int times_out = 0;
        std::optional<Time> out_until;  // set until an answer comes
        std::uint64_t chosen = 0;       // when, in choices
    };
    [[nodiscard]] bool takes(const State& state, Time now) const noexcept;

    EndpointLimits limits_;
    std::vector<State> states_;
    std::uint64_t choices_ = 0;
};

}  // namespace assay::pacing

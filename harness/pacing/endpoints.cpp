#include "harness/pacing/endpoints.hpp"

#include <algorithm>
#include <cassert>

namespace assay::pacing {

Endpoints::Endpoints(std::size_t count, EndpointLimits limits) : limits_(limits), states_(count) {
    assert(count > 0);
}

bool Endpoints::takes(const State& state, Time now) const noexcept {
    if (!state.out_until) return true;
    return now >= *state.out_until && state.in_flight == 0;  // on trial
}

std::optional<Endpoints::Index> Endpoints::choose(Time now, const std::function<bool(Index)>& open) const {
    std::optional<Index> best;
    for (Index i = 0; i < states_.size(); ++i) {
        if (!takes(states_[i], now) || !open(i)) continue;
        const auto load = [this](Index one) { return std::pair(states_[one].in_flight, states_[one].chosen); };
        if (!best || load(i) < load(*best)) best = i;
    }
    return best;
}

void Endpoints::sent(Index index) {
    ++states_[index].in_flight;
    states_[index].chosen = ++choices_;
}

void Endpoints::ended(Index index, bool failed, Time now) {
    State& state = states_[index];
    --state.in_flight;
    if (!failed) {
        state.failures = 0;
        state.outs = 0;
        state.out_until.reset();
        return;
    }
    ++state.failures;
    if (states_.size() == 1) return;
    const bool on_trial = state.out_until && now >= *state.out_until;
    const bool enough = !state.out_until && state.failures >= limits_.failures;
    if (!on_trial && !enough) return;  // the rest of those that were in flight when it was taken out
    const auto doubled = limits_.first_out * (std::int64_t{1} << std::min(state.outs, 20));
    state.out_until = now + std::min<std::chrono::milliseconds>(doubled, limits_.longest_out);
    ++state.outs;
    ++state.times_out;
}

Endpoints::Time Endpoints::back_at(Index index, Time now) const {
    const State& state = states_[index];
    return state.out_until ? std::max(now, *state.out_until) : now;
}

}  // namespace assay::pacing

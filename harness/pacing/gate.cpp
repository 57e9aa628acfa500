#include "harness/pacing/gate.hpp"

#include <algorithm>

namespace assay::pacing {

using std::chrono::milliseconds;

void Gate::turned_away(Time now, Time sent, std::optional<milliseconds> retry_after, std::int64_t in_flight) {
    const bool already_counted = shut_until_ && (now < *shut_until_ || sent < shut_at_);
    if (already_counted) {
        // Told together with those that shut it: a longer wait is heeded, but it is no new pause.
        if (retry_after && now < *shut_until_) {
            shut_until_ = std::max(*shut_until_, now + *retry_after);
            own_choice_ = false;
        }
        return;
    }
    const int doublings = std::min(in_a_row_, 20);
    const milliseconds own = std::min<milliseconds>(limits_.first_pause * (1LL << doublings), limits_.longest_pause);
    opened_at_ = shut_until_;
    own_choice_ = !retry_after;
    shut_at_ = now;
    shut_until_ = now + retry_after.value_or(own);
    at_once_ = std::min(std::int64_t{1} << doublings, limits_.most_at_once);
    ++in_a_row_;
    ++pauses_;
    let_through_ = 0;
    ramp_end_ = std::max<std::int64_t>({in_flight, 1, in_a_row_ > 1 ? ramp_end_ : ramp_end_ / 2});
}

void Gate::answered(Time sent) {
    if (!shut_until_) return;
    if (sent >= *shut_until_) in_a_row_ = 0;
    if (!opened_at_ || sent < *opened_at_) return;
    in_a_row_ = std::min(in_a_row_, 1);
    if (own_choice_) shut_until_ = std::min<Time>(*shut_until_, shut_at_ + limits_.first_pause);
}

std::int64_t Gate::permits(Time now) const noexcept {
    if (now < *shut_until_) return 0;
    const auto steps = (now - *shut_until_) / limits_.ramp_step;
    return at_once_ << std::min<std::int64_t>(steps, 40);
}

bool Gate::open(Time now) const noexcept {
    if (!shut_until_) return true;
    if (now < *shut_until_) return false;
    return !ramping() || let_through_ < permits(now);
}

void Gate::sent(Time now) noexcept {
    if (shut_until_ && now >= *shut_until_) ++let_through_;
}

Gate::Time Gate::opens_at(Time now) const noexcept {
    if (open(now)) return now;
    if (now < *shut_until_) return *shut_until_;
    const auto steps = (now - *shut_until_) / limits_.ramp_step;
    return *shut_until_ + (steps + 1) * limits_.ramp_step;
}

}  // namespace assay::pacing

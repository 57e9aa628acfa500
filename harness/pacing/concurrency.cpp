#include "harness/pacing/concurrency.hpp"

#include <algorithm>
#include <cmath>

namespace assay::pacing {
namespace {

constexpr double share_of_gain = 0.25;  // of text in requests, below which they queue
constexpr double share_of_doubling = 0.7;  // below which the doubling ends
constexpr double down = 0.86;
constexpr double filled = 0.8;          // share of the target that must be in flight for a window to count
constexpr double drained = 1.03;        // of a target that was lowered, above which too many are still there

constexpr double step_share = 0.25;
constexpr double least_step_share = 0.125;
constexpr double error_of_start = 0.08;  // of the rate, to judge a doubling
constexpr double error_of_probe = 0.02;  // to judge a step
constexpr int start_windows = 2;
constexpr int probe_windows = 4;
constexpr int steady_windows = 8;
constexpr int most_windows = 600;  // in one measurement, however unsteady
constexpr int rarest = 6;          // doublings of the time between probes
constexpr std::int64_t first_hold = 60;
constexpr std::int64_t longest_hold = 3600;

constexpr double waits = 3;  // times the usual first text
constexpr int longest_wait = 300;

}  // namespace

Concurrency::Concurrency(ConcurrencyLimits limits) : limits_(limits), target_(std::clamp(limits.first, limits.least, limits.most)) {
    added_ = target_;
}

void Concurrency::Measured::add(const Window& seen) {
    const double rate = static_cast<double>(seen.text_events) / seen.seconds;
    ++windows;
    sum += rate;
    squares += rate * rate;
    in_flight += seen.mean_in_flight;
}

double Concurrency::Measured::relative_error() const {
    if (windows < 2 || sum <= 0) return 1;
    const double mean = rate();
    const double variance = std::max(squares / windows - mean * mean, 0.0) * windows / (windows - 1);
    return std::sqrt(variance / windows) / mean;
}

void Concurrency::go(Phase phase, std::int64_t target) {
    const std::int64_t before = target_;
    phase_ = phase;
    target_ = std::clamp(target, limits_.least, limits_.most);
    now_ = {};
    since_change_ = 0;
    begun_ = 0;
    added_ = target_ - before;
    settling_ = target_ != before;
    idle_ = 0;
}

std::int64_t Concurrency::highest() const {
    return ceiling_ && windows_ < ceiling_until_ ? std::min(*ceiling_, limits_.most) : limits_.most;
}

std::int64_t Concurrency::step() const {
    return std::max({std::int64_t{1}, step_, static_cast<std::int64_t>(least_step_share * static_cast<double>(target_))});
}

void Concurrency::turned_away(Time now, Time sent, std::optional<Time> newest_begun) {
    if (decreased_at_ && (sent < *decreased_at_ || !newest_begun || *newest_begun < *decreased_at_)) return;
    decreased_at_ = now;
    ceiling_holds_ = std::clamp(ceiling_holds_ * 2, first_hold, longest_hold);
    ceiling_until_ = windows_ + ceiling_holds_;
    if (phase_ == Phase::probe && target_ > base_) {
        ceiling_ = target_ - 1;
        step_ = std::max<std::int64_t>(1, (target_ - base_) / 2);
        return rest_at(base_);  // which was served well
    }
    ceiling_ = std::max<std::int64_t>(target_ * 3 / 4, limits_.least + 1);
    reference_.reset();
    go(Phase::start, target_ / 2);
}

double Concurrency::elasticity(const Measured& before, const Measured& after) {
    if (before.rate() <= 0) return 1;
    const double requests = after.mean_in_flight() / before.mean_in_flight() - 1;
    const double text = after.rate() / before.rate() - 1;
    return std::abs(requests) < 0.02 ? 1 : text / requests;
}

bool Concurrency::known(int least_windows, double error) const {
    return now_.windows >= least_windows && (now_.relative_error() <= error || now_.windows >= most_windows);
}

void Concurrency::rest_at(std::int64_t target) {
    go(Phase::steady, target);
    idle_ = (1 << std::min(fruitless_ / 2, rarest)) * steady_windows - steady_windows;
}

void Concurrency::after_start() {
    const auto settle_at = [this](std::int64_t target, bool upwards) {
        step_ = static_cast<std::int64_t>(step_share * static_cast<double>(target));
        upwards_ = upwards;
        fruitless_ = 0;
        rest_at(target);
    };
    const double gain = reference_ ? elasticity(*reference_, now_) : 1;
    if (gain < share_of_doubling) {
        const double enough = reference_->mean_in_flight() * std::max(now_.rate() / reference_->rate(), 1.0);
        return settle_at(std::min(static_cast<std::int64_t>(std::ceil(enough)), target_), gain >= share_of_gain);  // without one the knee may lie below
    }
    if (target_ >= highest()) return settle_at(target_, true);
    reference_ = now_;
    go(Phase::start, std::min(target_ * 2, highest()));
}

void Concurrency::probe() {
    const bool more = target_ < highest();
    const bool less = target_ > limits_.least;
    if (!more && !less) return rest_at(target_);
    if (!more) upwards_ = false;
    if (!less) upwards_ = true;
    base_ = target_;
    reference_ = now_;
    const auto lower = static_cast<std::int64_t>(down * static_cast<double>(target_));
    go(Phase::probe, upwards_ ? std::min(target_ + step(), highest()) : std::min(lower, target_ - 1));
}

void Concurrency::after_probe() {
    const bool worth_it = elasticity(*reference_, now_) >= share_of_gain;
    if (worth_it == upwards_) {  // better there: on in the same direction
        fruitless_ = 0;
        return probe();
    }
    ++fruitless_;
    upwards_ = !upwards_;
    rest_at(base_);
}

// Whether what is in flight is what the target says, and answers.
bool Concurrency::settled(const Window& seen) {
    ++since_change_;
    if (added_ < 0) return seen.mean_in_flight <= drained * static_cast<double>(target_) + 0.5;
    if (since_change_ < 2 || first_text_s_ <= 0) return false;  // first_text_s_: nothing has ever been said
    return begun_ * 2 >= added_ || since_change_ >= std::min(2 + static_cast<int>(waits * first_text_s_ / seen.seconds), longest_wait);
}

void Concurrency::window(const Window& seen) {
    if (seen.seconds <= 0) return;
    ++windows_;
    begun_ += seen.begun;
    if (seen.begun > 0) {
        const double wait = seen.first_text_wait_s / static_cast<double>(seen.begun);
        first_text_s_ = first_text_s_ > 0 ? 0.8 * first_text_s_ + 0.2 * wait : wait;
    }
    if (seen.mean_in_flight < filled * static_cast<double>(target_)) return;
    if (settling_) {
        settling_ = !settled(seen);
        return;
    }
    if (idle_ > 0) {
        --idle_;
        return;
    }
    now_.add(seen);
    switch (phase_) {
        case Phase::start:
            if (known(start_windows, error_of_start)) after_start();
            return;
        case Phase::steady:
            if (known(steady_windows, error_of_probe)) probe();
            return;
        case Phase::probe:
            if (known(probe_windows, error_of_probe)) after_probe();
            return;
    }
}

}  // namespace assay::pacing

#include "harness/pacing/retry_policy.hpp"

#include <algorithm>
#include <cmath>

namespace assay::pacing {
namespace {

using std::chrono::milliseconds;

std::uint64_t mixed(std::uint64_t state) noexcept {
    state += 0x9e3779b97f4a7c15U;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
    return state ^ (state >> 31);
}

milliseconds scaled(milliseconds length, double factor) noexcept {
    return milliseconds(static_cast<std::int64_t>(std::llround(static_cast<double>(length.count()) * factor)));
}

}  // namespace

double jitter(int seed, int question, int tries) noexcept {
    std::uint64_t state = mixed(static_cast<std::uint32_t>(seed));
    state = mixed(state ^ static_cast<std::uint32_t>(question));
    state = mixed(state ^ static_cast<std::uint32_t>(tries));
    return static_cast<double>(state >> 11) * 0x1p-53;
}

bool was_turned_away(const chat::Reply& reply) noexcept {
    if (chat::is_scored(reply.outcome)) return false;
    if (reply.http_status == 0) return !reply.times.connected_ms;
    return reply.http_status == 429 || reply.http_status == 503;
}

std::optional<milliseconds> clamped_retry_after(const chat::Reply& reply, milliseconds longest) noexcept {
    const bool heeded = reply.http_status == 429 || reply.http_status == 503 || reply.http_status == 402;
    if (!heeded || !reply.retry_after_s || std::isnan(*reply.retry_after_s)) return std::nullopt;
    const double most_s = static_cast<double>(longest.count()) / 1e3;
    return scaled(milliseconds(1000), std::clamp(*reply.retry_after_s, 0.0, most_s));
}

Decision RetryPolicy::after(const chat::Reply& reply, const History& history) const noexcept {
    if (chat::is_scored(reply.outcome)) return {Verdict::done, milliseconds(0)};
    if (!chat::may_be_retried(reply.outcome)) return {Verdict::give_up, milliseconds(0)};
    const int worked_on = history.tries - history.turned_away;
    const bool spent = was_turned_away(reply) ? history.turned_away >= limits_.turned_away : worked_on >= limits_.tries;
    if (spent) return {Verdict::give_up, milliseconds(0)};
    const double share = jitter(history.seed, history.question, history.tries);
    if (const auto asked = clamped_retry_after(reply, limits_.longest_retry_after)) {
        return {Verdict::retry, *asked + scaled(limits_.first_delay, share)};
    }
    if (was_turned_away(reply) && reply.http_status != 0) return {Verdict::retry, scaled(limits_.first_delay, share)};
    const int doublings = std::clamp(history.tries - 1, 0, 30);
    const double grown = static_cast<double>(limits_.first_delay.count()) * std::exp2(doublings);
    const double delay = std::min(grown, static_cast<double>(limits_.longest_delay.count()));
    return {Verdict::retry, milliseconds(static_cast<std::int64_t>(delay * (0.5 + 0.5 * share)))};
}

}  // namespace assay::pacing

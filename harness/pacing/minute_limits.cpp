#include "harness/pacing/minute_limits.hpp"

#include <algorithm>

#include "harness/pacing/retry_policy.hpp"

namespace assay::pacing {

MinuteLimits::MinuteLimits(const Rates& rates, std::int64_t first_guess) : first_guess_(static_cast<double>(first_guess)) {
    if (rates.requests_per_minute) requests_.emplace(*rates.requests_per_minute);
    if (rates.tokens_per_minute) tokens_.emplace(*rates.tokens_per_minute);
}

std::optional<MinuteLimits::Time> MinuteLimits::held_until(Time now) const {
    Time later = now;
    if (requests_) later = std::max(later, requests_->opens_at(now));
    if (tokens_) later = std::max(later, tokens_->opens_at(now));
    return later > now ? std::optional(later) : std::nullopt;
}

double MinuteLimits::tokens_expected() const {
    return known_replies_ > 0 ? known_tokens_ / static_cast<double>(known_replies_) : first_guess_;
}

double MinuteLimits::sent(Time now) {
    const double reckoned = tokens_expected();
    if (requests_) requests_->take(now, 1);
    if (tokens_) tokens_->take(now, reckoned);
    return reckoned;
}

void MinuteLimits::ended(Time now, double reckoned, const chat::Reply& reply) {
    double used = reckoned;
    if (reply.usage.completion_tokens) {
        used = static_cast<double>(*reply.usage.completion_tokens + reply.usage.prompt_tokens.value_or(0));
        if (chat::is_scored(reply.outcome)) {
            known_tokens_ += used;
            ++known_replies_;
        }
    } else if (was_turned_away(reply)) {
        used = 0;
    }
    if (tokens_) tokens_->correct(now, reckoned - used);
}

}  // namespace assay::pacing

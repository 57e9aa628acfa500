// MinuteLimits: bounds on requests and on tokens a minute.
//
// A token bucket for each, with a second's worth saved up at most. The tokens of a request are prompt and reply as the
// server counts them in `usage`, and they are known only at its end; so each is reckoned when it is sent, as many as the
// replies before it took on average, or `first_guess` (the budget of a reply) while none has ended, and
// put right when it ends. A server that counts nothing leaves the reckoning as it is; what was turned away costs
// a request and no tokens.
// Pure: every instant is handed in. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/chat/reply.hpp"
#include "harness/pacing/token_bucket.hpp"

namespace assay::pacing {

struct Rates {
    std::optional<double> requests_per_minute;  // above 0; unset: no bound
    std::optional<double> tokens_per_minute;
};

class MinuteLimits {
public:
    using Time = TokenBucket::Time;

    MinuteLimits(const Rates& rates, std::int64_t first_guess);

    // Until when the next request is held back; nothing where it may go.
    [[nodiscard]] std::optional<Time> held_until(Time now) const;
    // Gives the tokens that it was reckoned to take, for ended().
    double sent(Time now);
    void ended(Time now, double reckoned, const chat::Reply& reply);

    [[nodiscard]] double tokens_expected() const;  // of the next request

private:
    std::optional<TokenBucket> requests_;
    std::optional<TokenBucket> tokens_;
    double first_guess_;
    double known_tokens_ = 0;
    std::int64_t known_replies_ = 0;
};

}  // namespace assay::pacing

#include "harness/pacing/token_bucket.hpp"

#include <algorithm>
#include <cmath>

namespace assay::pacing {

TokenBucket::TokenBucket(double per_minute, std::chrono::milliseconds burst)
    : per_second_(per_minute / 60),
      most_(std::max(per_second_ * std::chrono::duration<double>(burst).count(), 1.0)),
      level_(most_) {}

double TokenBucket::level(Time now) const {
    if (!started_) return most_;
    const double passed = std::max(std::chrono::duration<double>(now - at_).count(), 0.0);
    return std::min(level_ + passed * per_second_, most_);
}

// A request may go once a whole one of what it costs at least is there.
bool TokenBucket::open(Time now) const {
    return level(now) >= 1.0 - 1e-9;
}

TokenBucket::Time TokenBucket::opens_at(Time now) const {
    if (open(now)) return now;
    const double wait_ns = std::ceil((1.0 - level(now)) / per_second_ * 1e9);
    return now + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double, std::nano>(wait_ns));
}

void TokenBucket::take(Time now, double cost) {
    level_ = level(now) - cost;
    at_ = now;
    started_ = true;
}

void TokenBucket::correct(Time now, double surplus) {
    take(now, -surplus);
    level_ = std::min(level_, most_);
}

}  // namespace assay::pacing

#include "harness/loop/delay_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace assay::loop {

void DelayHistogram::add(std::chrono::nanoseconds delay) noexcept {
    const double us = std::max(0.0, static_cast<double>(delay.count()) / 1e3);
    const int bucket = us <= 1.0 ? 0 : std::min(buckets - 1, static_cast<int>(std::ceil(8.0 * std::log2(us))));
    ++counts_[static_cast<std::size_t>(bucket)];
    ++count_;
    max_ms_ = std::max(max_ms_, us / 1e3);
}

double DelayHistogram::quantile_ms(double q) const noexcept {
    if (count_ == 0) return 0.0;
    const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (int bucket = 0; bucket < buckets; ++bucket) {
        seen += counts_[static_cast<std::size_t>(bucket)];
        if (seen >= rank) return std::min(max_ms_, std::exp2(bucket / 8.0) / 1e3);
    }
    return max_ms_;
}

}  // namespace assay::loop

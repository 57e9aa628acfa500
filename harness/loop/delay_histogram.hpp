// DelayHistogram: quantiles of delays in bounded memory, to within 10 % of a value.
//
// Buckets grow by powers of 2^(1/8) from 1 microsecond to over an hour. Not thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace assay::loop {

class DelayHistogram {
public:
    void add(std::chrono::nanoseconds delay) noexcept;  // negative counts as 0

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] double max_ms() const noexcept { return max_ms_; }
    // Upper edge of the bucket that holds the q-quantile, never above max; q in (0, 1]; 0 where empty.
    [[nodiscard]] double quantile_ms(double q) const noexcept;

private:
    static constexpr int buckets = 8 * 32 + 1;
    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    double max_ms_ = 0;
};

}  // namespace assay::loop

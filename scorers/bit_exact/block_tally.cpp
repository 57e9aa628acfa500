#include "scorers/bit_exact/block_tally.hpp"

#include <algorithm>

namespace assay::bit_exact {

void BlockTally::add(const BlockTally& other) noexcept {
    blocks += other.blocks;
    exact += other.exact;
    payload_equal += other.payload_equal;
    for (std::size_t i = 0; i < difference_count; ++i) differences[i] += other.differences[i];
    for (std::size_t i = 0; i < error_bins; ++i) errors[i] += other.errors[i];
    max_abs_err = std::max(max_abs_err, other.max_abs_err);
    mixed_factors = mixed_factors || other.mixed_factors ||
                    (scale_factor && other.scale_factor && *scale_factor != *other.scale_factor);
    if (!scale_factor) scale_factor = other.scale_factor;
}

void settle_global_scale(BlockTally& tally) noexcept {
    auto& scale = tally.differences[static_cast<std::size_t>(Difference::scale)];
    auto& clamped = tally.differences[static_cast<std::size_t>(Difference::clamped)];
    // A block of zeros is exact under any scale; where most blocks are exact, the factor is not the weight's.
    const std::uint64_t off = scale + clamped;
    constexpr std::uint64_t least = 2;
    if (off < least || tally.mixed_factors || !tally.scale_factor || off + tally.exact != tally.blocks ||
        tally.exact >= off)
        return;
    tally.differences[static_cast<std::size_t>(Difference::global_scale)] += off;
    scale = clamped = 0;
}

}  // namespace assay::bit_exact

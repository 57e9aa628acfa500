#include "scorers/bit_exact/block_tally.hpp"

#include <algorithm>

namespace assay::bit_exact {

void BlockTally::add(const BlockTally& other) noexcept {
    blocks += other.blocks;
    exact += other.exact;
    payload_equal += other.payload_equal;
    served_fp32 += other.served_fp32;
    served_bf16 += other.served_bf16;
    for (std::size_t i = 0; i < difference_count; ++i) differences[i] += other.differences[i];
    for (std::size_t i = 0; i < error_bins; ++i) errors[i] += other.errors[i];
    max_abs_err = std::max(max_abs_err, other.max_abs_err);
    mixed_factors = mixed_factors || other.mixed_factors ||
                    (scale_factor && other.scale_factor && *scale_factor != *other.scale_factor);
    if (!scale_factor) scale_factor = other.scale_factor;
}

Difference Settlement::settled(Difference kind) const noexcept {
    const bool value_equal = static_cast<std::size_t>(kind) < value_equal_count;
    if (transposed && !value_equal && kind != Difference::undefined) return Difference::transposed;
    if (global_scale && (kind == Difference::scale || kind == Difference::clamped)) return Difference::global_scale;
    return kind;
}

bool is_off_by_global_scale(const BlockTally& tally) noexcept {
    // A block of zeros is exact under any scale; where most blocks are exact, the factor is not the weight's.
    const std::uint64_t off = tally.count(Difference::scale) + tally.count(Difference::clamped);
    constexpr std::uint64_t least = 2;
    return off >= least && !tally.mixed_factors && tally.scale_factor && off + tally.exact == tally.blocks &&
           tally.exact < off;
}

void settle(BlockTally& tally, const Settlement& settlement) noexcept {
    std::array<std::uint64_t, difference_count> settled{};
    for (std::size_t i = 0; i < difference_count; ++i)
        settled[static_cast<std::size_t>(settlement.settled(static_cast<Difference>(i)))] += tally.differences[i];
    tally.differences = settled;
}

}  // namespace assay::bit_exact

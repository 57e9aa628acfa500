// BlockTally: what comparing blocks came to. Counts and a maximum only, so that tallies add up in any order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scorers/bit_exact/difference.hpp"

namespace assay::bit_exact {

inline constexpr std::size_t error_bins = 12;

struct BlockTally {
    std::uint64_t blocks = 0;         // of the source's width: 32 values for MXFP4, 16 for NVFP4
    std::uint64_t exact = 0;          // all values equal as exact numbers (-0 equals 0)
    std::uint64_t payload_equal = 0;  // E2M1 bytes equal, whatever the scales
    std::uint64_t served_fp32 = 0;    // values equal as a server computes them in FP32 (served.hpp), and then in BF16
    std::uint64_t served_bf16 = 0;
    std::array<std::uint64_t, difference_count> differences{};  // each block that differs, in one class
    double max_abs_err = 0;  // largest |source - target| over defined values, rounded once to double
    // Blocks with other values by error relative to the block's largest magnitude: bin i holds [2^-(i+1), 2^-i),
    // the first everything from 1/2 up (and all errors on zero blocks), the last everything below 2^-11.
    std::array<std::uint64_t, error_bins> errors{};
    // Factor target / source of the scales over blocks whose codes are equal and scales are not; unset before the first; `mixed` after a second.
    std::optional<double> scale_factor;
    bool mixed_factors = false;

    void add(const BlockTally& other) noexcept;
    [[nodiscard]] std::uint64_t count(Difference difference) const noexcept {
        return differences[static_cast<std::size_t>(difference)];
    }
};

// What is known of a weight only when all of it was compared, and changes the class of its blocks.
struct Settlement {
    bool global_scale = false;
    bool transposed = false;

    // The class that a block of that kind has in the end.
    [[nodiscard]] Difference settled(Difference kind) const noexcept;
};

// Whether all blocks of classes `scale` and `clamped` share one factor and fewer blocks are exact: then they are of class
// `global_scale`.
[[nodiscard]] bool is_off_by_global_scale(const BlockTally& tally) noexcept;

// Moves the counts of a whole weight to the classes that they have in the end.
void settle(BlockTally& tally, const Settlement& settlement) noexcept;

}  // namespace assay::bit_exact

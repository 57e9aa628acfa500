// ScaleSurvey: what is odd about the block scales of one FP4 weight, counted, with the first place of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "datasets/checkpoints/layout.hpp"

namespace assay::rules {

enum class ScaleOddity : std::uint8_t {
    nan,        // E8M0 255; E4M3 0x7f and 0xff
    negative,   // E4M3 with its sign set, NaN apart
    live_zero,  // code 0 over elements of which some are not zero (E8M0 0 is 2^-127; E4M3 0x00 and 0x80 are zero)
    subnormal,  // E4M3 below 2^-6, zero apart
    no_power,   // E4M3 that is no power of two
    unpaired,   // E4M3 of an even 16-wide block and of the one after it, unlike
};

inline constexpr std::size_t oddity_count = 6;

struct ScaleSurvey {
    bool whole = false;  // every scale was seen
    std::uint64_t scales = 0;
    std::array<std::uint64_t, oddity_count> counts{};
    std::array<std::uint64_t, oddity_count> first_row{};    // of all rows; meaningful where the count is not 0
    std::array<std::uint64_t, oddity_count> first_block{};  // in its row, of the layout's width

    [[nodiscard]] std::uint64_t count(ScaleOddity oddity) const noexcept {
        return counts[static_cast<std::size_t>(oddity)];
    }

    // Adds whole rows, in order: `scales` of them and the packed elements they apply to. `columns` is of a row.
    void add(const checkpoints::Layout& layout, std::uint64_t first_row, std::uint64_t columns,
             std::span<const std::byte> scales, std::span<const std::byte> payload) noexcept;
};

}  // namespace assay::rules

// ScaleLine: the longest run of source codes whose matching target codes lie on a line, so that rows of scales are
// compared without a look-up each.
//
// Of E8M0 against E4M3 it is the powers of two that are normal there (step 8); of a format against itself under the same
// global scale nearly every code (step 1). What lies off it may match all the same: ask ScalePairs::match.
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::bit_exact {

struct ScaleLine {
    std::uint8_t first = 1;  // source codes first .. last; none where first is above last
    std::uint8_t last = 0;
    std::uint8_t step = 0;  // the match of a code is step * code + offset, modulo 256
    std::uint8_t offset = 0;
};

// `match[code]` is a target code, or above 255 where there is none. The first of the longest lines of at least two codes.
[[nodiscard]] ScaleLine longest_line(const std::array<std::uint32_t, 256>& match) noexcept;

// Whether every target code is the match of its source code and all lie on the line. Target codes are as many as source
// codes, or twice as many, the match being each of two neighbours.
[[nodiscard]] bool all_on_line(const ScaleLine& line, std::span<const std::byte> source,
                               std::span<const std::byte> target) noexcept;

}  // namespace assay::bit_exact

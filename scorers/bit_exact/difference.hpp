// Difference: how a block of the target is not the block of the source.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::bit_exact {

enum class Difference : std::uint8_t {
    // Equal values, other bytes:
    negative_zero,  // a zero's sign was lost or gained; nothing else in the payload differs
    rescaled,       // other codes under another scale, the same numbers
    zero_scale,     // the scale of a block, or half of one, of zeros: the same codes, and no value shows it
    // Other values:
    nibble,  // scales equal as numbers, elements not
    scale,   // elements equal, a block scale not
    nibble_and_scale,
    global_scale,     // every block that can show it is off by one and the same factor
    clamped,          // the scale that was needed lies outside E4M3's range, and its end stands there
    requantized,      // the global scale is no power of two, which an MXFP4 source never needs
    swapped_nibbles,  // the two halves of each byte are exchanged
    shifted_rows,     // the payload of the row above or below
    transposed,       // the whole weight, square, with rows and columns exchanged
    undefined,        // a scale is NaN or infinite, on either side: there is no value to compare
};

inline constexpr std::size_t difference_count = 13;
inline constexpr std::size_t value_equal_count = 3;  // the first of them

// The name in reports: "negative_zero".
[[nodiscard]] std::string_view to_string(Difference difference) noexcept;

// One block that differs, with what proves it.
struct BlockDifference {
    Difference kind{};
    std::uint64_t row = 0;    // of all rows, banks one after the other
    std::uint64_t block = 0;  // in its row, of the source's width
    unsigned element = 0;     // first element of the block whose value (where all are equal, whose code; where those are
                              //   too, whose scale) differs
    std::uint8_t source_code = 0;  // its E2M1 codes
    std::uint8_t target_code = 0;
    std::uint8_t source_scale = 0;  // block scale codes that apply to it, as stored
    std::uint8_t target_scale = 0;
    double source_value = 0;  // NaN where undefined
    double target_value = 0;
};

}  // namespace assay::bit_exact

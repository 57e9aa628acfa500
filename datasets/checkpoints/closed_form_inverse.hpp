// Closed-form inverse: the E8M0 block scales that an NVFP4 weight was cast from.
//
// A cast that copies the E2M1 elements writes a 32-wide MXFP4 block as two 16-wide NVFP4 blocks of one scale, a power of
// two, under a global scale that is a power of two as well. Nothing was rounded, so it can be undone:
//
//     2^(e8m0 - 127) = E4M3 * 2^m        e8m0 = log2(E4M3) + m + 127
//     E4M3 codes of powers of two: 01 02 04 (2^-9 .. 2^-7, subnormal), 08 10 .. 78 (2^-6 .. 2^8)
//
// The inverse is that of the numbers. The code of an all-zero block carries none: where a cast could not keep it (it lay
// out of E4M3's range), the code that comes back is that of the scale that was written instead.
// Formats: OCP OFP8 v1.0, 5; OCP MX v1.0, 5.4. Pure; any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "datasets/checkpoints/layout.hpp"

namespace assay::checkpoints {

// Why a scale cannot have come from a closed-form cast.
enum class NotClosedForm : std::uint8_t {
    global_scale,  // zero, negative, NaN, infinite, or no power of two
    no_power,      // a block scale that is no positive power of two: 00, 80 and up, NaN, mantissas
    unpaired,      // the two halves of a 32-wide block have different scales
    out_of_range,  // 2^-128 and below, or 2^128 and above: E8M0 has no code for it
};

// "a block scale that is no positive power of two".
[[nodiscard]] std::string_view to_string(NotClosedForm reason) noexcept;

struct InverseFault {
    NotClosedForm reason{};
    std::uint64_t block = 0;  // of 32 columns, from the first scale given; 0 for a global scale
};

// m of a global scale 2^m, as a multiplier; a divisor is stored as 2^-m. Nothing where it is no positive power of two.
[[nodiscard]] std::optional<int> global_exponent(GlobalScale kind, float stored) noexcept;

// log2 of an E4M3 code, -9 to 8. Nothing where it is no positive power of two.
[[nodiscard]] std::optional<int> e4m3_exponent(std::uint8_t code) noexcept;

// Fills `e8m0`, one code for 32 columns, from twice as many E4M3 codes, row by row; a row is a multiple of 32 columns, so
// that pairs do not cross rows. Returns the first scale that is not of closed form, or nothing where all were undone;
// codes from that block on are then not written.
[[nodiscard]] std::optional<InverseFault> undo_closed_form(int m, std::span<const std::byte> e4m3,
                                                           std::span<std::byte> e8m0) noexcept;

}  // namespace assay::checkpoints

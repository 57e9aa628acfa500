// Closed form: the NVFP4 scales under which MXFP4 elements mean the same numbers.
//
// A 32-wide block with E8M0 code b has the scale 2^k, k = b - 127. Under a global scale 2^m it becomes two 16-wide
// blocks of scale 2^(k - m), whose elements are the same bytes:
//
//     E2M1 * 2^k  =  E2M1 * 2^(k - m) * 2^m          E4M3 holds 2^d for d from -9 to 8
//
// The usual choice is m = k_max - 8, which puts the largest scale at the top, 2^8, and leaves 17 binades below it. m is kept
// at -126 or above, so that 2^m and 2^-m are normal FP32 numbers.
//
// A block outside of that range can still be exact: elements move by a binade where all are E2M1 numbers afterwards, the
// 16-wide halves each on its own; a half of zeros fits under any scale.
//
//     elements moved down one binade (halved):   magnitudes among 0 1 2 3 4 6     two: 0 2 4 6     three: 0 4
//     elements moved up one binade (doubled):    magnitudes among 0 .5 1 1.5 2 3  two: 0 .5 1 1.5  three: 0 .5
//
// Formats: OCP OFP8 v1.0, 5; OCP MX v1.0, 5.3 and 5.4. Pure; any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::checkpoints {

inline constexpr int least_e4m3_exponent = -9;
inline constexpr int greatest_e4m3_exponent = 8;
inline constexpr int least_global_exponent = -126;
inline constexpr std::uint8_t e8m0_nan = 255;

// The E4M3 code of 2^d; d from -9 to 8.
[[nodiscard]] std::uint8_t e4m3_power(int d) noexcept;

// Which magnitudes occur among packed elements: bit i is set for code i or its negative, i from 0 to 7.
[[nodiscard]] unsigned magnitudes_in(std::span<const std::byte> packed) noexcept;

// By how many binades elements can move with every one staying exact; `zero` where all are zeros and any move is.
struct Room {
    int down = 0;
    int up = 0;
    bool zero = false;
};

[[nodiscard]] Room room_of(unsigned magnitudes) noexcept;

// Least and greatest code among E8M0 scales. Starts empty: least > greatest.
struct CodeRange {
    std::uint8_t least = 255;
    std::uint8_t greatest = 0;

    void add(std::span<const std::byte> e8m0) noexcept;
    void add(const CodeRange& other) noexcept;
    // True where one m fits all without a look at the elements: no NaN, and a span of at most 17 binades.
    [[nodiscard]] bool fits() const noexcept {
        return least > greatest ||
               (greatest != e8m0_nan && greatest - least <= greatest_e4m3_exponent - least_e4m3_exponent);
    }
};

// m for scales whose range fits: k_max - 8, at least -126. For no scales at all, -8.
[[nodiscard]] int closed_form_exponent(const CodeRange& range) noexcept;

// What the elements of blocks ask of m, where the range of the codes alone does not settle it. Blocks whose scale is NaN
// ask nothing. Adding is commutative.
struct Demand {
    int usual = -1000;    // k_max - 8 over halves that are not zero
    int least = -1000;    // every m below leaves a half that no move makes exact
    int greatest = 1000;  // and every m above
    bool live = false;    // a half that is not zero was seen

    // One block: its code and its 16 packed bytes.
    void add(std::uint8_t code, std::span<const std::byte, 16> packed) noexcept;
    void add(const Demand& other) noexcept;
    // The m to take: the usual one, lowered where only that makes every block exact. Where no m does, the usual one.
    [[nodiscard]] int exponent(const CodeRange& range) const noexcept;
};

// Writes the E4M3 code of each scale twice; e4m3 has twice the length of e8m0. Positions in `e8m0` of scales that do not
// fit under m are appended to `outside`, and what is written for them is undefined until cast_outside_block says.
void cast_scales(int m, std::span<const std::byte> e8m0, std::span<std::byte> e4m3, std::vector<std::uint64_t>& outside);

// What becomes of a block whose scale does not fit under m.
enum class BlockFate : std::uint8_t {
    zeros,    // both halves are zeros: bytes kept, the nearest scale written, the code itself lost
    rescued,  // elements moved, every value the same
    rounded,  // a value changed: to the nearest, ties to even, at most +-6 times the scale
    nan,      // its scale is NaN: so are the two that are written
};

struct OutsideBlock {
    BlockFate fate{};
    std::array<std::uint8_t, 2> scales{};  // E4M3, of the first and the second half
};

// Changes `packed`, 32 elements, in place where elements have to move.
[[nodiscard]] OutsideBlock cast_outside_block(int m, std::uint8_t code, std::span<std::byte, 16> packed) noexcept;

}  // namespace assay::checkpoints

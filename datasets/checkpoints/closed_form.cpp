#include "datasets/checkpoints/closed_form.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace assay::checkpoints {
namespace {

constexpr int bias = 127;

// Twice the magnitudes of E2M1, and the code of each magnitude: -1 where there is none.
constexpr std::array<int, 8> half_units{0, 1, 2, 3, 4, 6, 8, 12};

constexpr int code_of(int halves) {
    for (int code = 0; code < 8; ++code) {
        if (half_units[static_cast<std::size_t>(code)] == halves) return code;
    }
    return -1;
}

// moved[s + 3][code]: the code of the magnitude times 2^s, s from -3 to 3; -1 where E2M1 has none.
constexpr auto moved = [] {
    std::array<std::array<int, 8>, 7> table{};
    for (int s = -3; s <= 3; ++s) {
        for (std::size_t code = 0; code < 8; ++code) {
            const int halves = half_units[code];
            const bool whole = s >= 0 || halves % (1 << -s) == 0;
            table[static_cast<std::size_t>(s + 3)][code] =
                whole ? code_of(s >= 0 ? halves << s : halves >> -s) : -1;
        }
    }
    return table;
}();

// exact_move[s + 3]: the magnitudes, as a set, that move by s binades and stay exact.
constexpr auto exact_moves = [] {
    std::array<unsigned, 7> sets{};
    for (std::size_t s = 0; s < sets.size(); ++s) {
        for (std::size_t code = 0; code < 8; ++code) {
            if (moved[s][code] >= 0) sets[s] |= 1U << code;
        }
    }
    return sets;
}();

constexpr bool can_move(unsigned magnitudes, int binades) {
    return (magnitudes & ~exact_moves[static_cast<std::size_t>(binades + 3)]) == 0;
}

// The magnitude code nearest to 2^binades times that of `code`; ties to the even code; at most 6.
int nearest_code(int code, int binades) {
    const int halves = half_units[static_cast<std::size_t>(code)];
    if (binades >= 0) {
        const int wanted = binades > 8 ? (halves == 0 ? 0 : 1 << 12) : halves << binades;
        int best = 0;
        for (int c = 0; c < 8; ++c) {
            if (half_units[static_cast<std::size_t>(c)] <= wanted) best = c;
        }
        return best;  // above 1.5 only 2^n and 3 * 2^n can come: exact, or past 6
    }
    // Compared in units of 2^binades / 2: |candidate * 2^-binades - halves|.
    if (binades < -8) return 0;
    int best = 0;
    int best_error = halves;
    for (int c = 1; c < 8; ++c) {
        const int error = std::abs((half_units[static_cast<std::size_t>(c)] << -binades) - halves);
        if (error < best_error || (error == best_error && c % 2 == 0)) {
            best = c;
            best_error = error;
        }
    }
    return best;
}

std::byte moved_pair(std::byte pair, int binades) {
    const auto move = [binades](unsigned nibble) {
        return (nibble & 8U) | static_cast<unsigned>(nearest_code(static_cast<int>(nibble & 7U), binades));
    };
    const auto byte = static_cast<unsigned>(pair);
    return static_cast<std::byte>(move(byte & 15U) | move(byte >> 4) << 4);
}

// One half: the scale written for it, and whether its values stay what they were.
struct Half {
    std::uint8_t scale = 0;
    BlockFate fate{};
};

Half cast_half(int wanted, std::span<std::byte> packed) {
    const int written = std::clamp(wanted, least_e4m3_exponent, greatest_e4m3_exponent);
    const unsigned magnitudes = magnitudes_in(packed);
    Half half{e4m3_power(written), BlockFate::zeros};
    if (magnitudes == 1) return half;
    const int binades = wanted - written;  // up where the scale had to be lowered
    half.fate = std::abs(binades) <= 3 && can_move(magnitudes, binades) ? BlockFate::rescued : BlockFate::rounded;
    for (std::byte& pair : packed) pair = moved_pair(pair, binades);
    return half;
}

}  // namespace

std::uint8_t e4m3_power(int d) noexcept {
    assert(d >= least_e4m3_exponent && d <= greatest_e4m3_exponent);
    return static_cast<std::uint8_t>(d < -6 ? 1 << (d + 9) : (d + 7) << 3);
}

unsigned magnitudes_in(std::span<const std::byte> packed) noexcept {
    unsigned set = 0;
    for (const std::byte pair : packed)
        set |= 1U << (static_cast<unsigned>(pair) & 7U) | 1U << (static_cast<unsigned>(pair) >> 4 & 7U);
    return set;
}

Room room_of(unsigned magnitudes) noexcept {
    Room room;
    room.zero = (magnitudes & ~1U) == 0;
    if (room.zero) return room;
    while (room.down < 3 && can_move(magnitudes, -room.down - 1)) ++room.down;
    while (room.up < 3 && can_move(magnitudes, room.up + 1)) ++room.up;
    return room;
}

void CodeRange::add(std::span<const std::byte> e8m0) noexcept {
    // Kept apart from the members so that the compiler sees two reductions.
    std::uint8_t low = least;
    std::uint8_t high = greatest;
    for (const std::byte code : e8m0) {
        low = std::min(low, static_cast<std::uint8_t>(code));
        high = std::max(high, static_cast<std::uint8_t>(code));
    }
    least = low;
    greatest = high;
}

void CodeRange::add(const CodeRange& other) noexcept {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
}

int closed_form_exponent(const CodeRange& range) noexcept {
    if (range.least > range.greatest) return -greatest_e4m3_exponent;
    return std::max(range.greatest - bias - greatest_e4m3_exponent, least_global_exponent);
}

void Demand::add(std::uint8_t code, std::span<const std::byte, 16> packed) noexcept {
    if (code == e8m0_nan) return;
    const int k = code - bias;
    for (const auto half : {packed.first<8>(), packed.last<8>()}) {
        const Room room = room_of(magnitudes_in(half));
        if (room.zero) continue;
        live = true;
        usual = std::max(usual, k - greatest_e4m3_exponent);
        least = std::max(least, k - room.up - greatest_e4m3_exponent);
        greatest = std::min(greatest, k + room.down - least_e4m3_exponent);
    }
}

void Demand::add(const Demand& other) noexcept {
    usual = std::max(usual, other.usual);
    least = std::max(least, other.least);
    greatest = std::min(greatest, other.greatest);
    live = live || other.live;
}

int Demand::exponent(const CodeRange& range) const noexcept {
    if (!live) {
        CodeRange finite = range;
        finite.greatest = std::min<std::uint8_t>(finite.greatest, e8m0_nan - 1);
        return closed_form_exponent(finite);
    }
    const int wanted = std::max(usual, least_global_exponent);
    return least <= greatest ? std::min(wanted, greatest) : wanted;
}

void cast_scales(int m, std::span<const std::byte> e8m0, std::span<std::byte> e4m3,
                 std::vector<std::uint64_t>& outside) {
    assert(e4m3.size() == 2 * e8m0.size());
    std::array<std::uint16_t, 256> pairs{};  // 0: outside
    for (int code = 0; code < e8m0_nan; ++code) {
        const int d = code - bias - m;
        if (d < least_e4m3_exponent || d > greatest_e4m3_exponent) continue;
        pairs[static_cast<std::size_t>(code)] = static_cast<std::uint16_t>(e4m3_power(d) * 0x0101);
    }
    unsigned missed = 0;
    for (std::size_t i = 0; i < e8m0.size(); ++i) {
        const std::uint16_t pair = pairs[static_cast<std::uint8_t>(e8m0[i])];
        missed += pair == 0 ? 1U : 0U;
        std::memcpy(&e4m3[2 * i], &pair, sizeof pair);
    }
    for (std::size_t i = 0; missed != 0 && i < e8m0.size(); ++i) {
        if (pairs[static_cast<std::uint8_t>(e8m0[i])] == 0) outside.push_back(i);
    }
}

OutsideBlock cast_outside_block(int m, std::uint8_t code, std::span<std::byte, 16> packed) noexcept {
    constexpr std::uint8_t e4m3_nan = 0x7F;
    if (code == e8m0_nan) return {BlockFate::nan, {e4m3_nan, e4m3_nan}};
    const Half first = cast_half(code - bias - m, packed.first<8>());
    const Half second = cast_half(code - bias - m, packed.last<8>());
    return {std::max(first.fate, second.fate), {first.scale, second.scale}};
}

}  // namespace assay::checkpoints

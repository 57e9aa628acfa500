// Packed blocks in pairs, source and target, for tests of their comparison.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "scorers/bit_exact/comparison.hpp"

namespace assay::bit_exact {

using checkpoints::BlockScale;
using checkpoints::GlobalScale;

using Bytes = std::vector<std::uint8_t>;

inline std::span<const std::byte> view(const Bytes& bytes) { return std::as_bytes(std::span(bytes)); }

struct Stored {
    Encoding encoding;
    Bytes payload;
    Bytes scales;
    [[nodiscard]] Side side() const { return {encoding, view(payload), view(scales)}; }
};

inline constexpr Encoding mxfp4{BlockScale::e8m0, GlobalScale::none, 32, 1.0F};
inline Encoding nvfp4(float global) { return {BlockScale::e4m3, GlobalScale::multiplier, 16, global}; }
inline Encoding reciprocal(float global) { return {BlockScale::e4m3, GlobalScale::divisor, 16, global}; }

inline Window window_of(const Stored& source, const Stored& target, std::uint64_t rows, std::uint64_t columns) {
    return {0, rows, columns, source.side(), target.side()};
}

inline BlockTally tally_of(const Window& window) {
    Comparison comparison(1000);
    comparison.add(window);
    return comparison.tally();
}

// A source and its closed-form cast, written out plainly.
struct Pair {
    Stored source;
    Stored target;
    std::uint64_t rows;
    std::uint64_t columns;
};

inline Pair cast_pair(bool divides, unsigned seed, std::uint64_t rows = 6, std::uint64_t columns = 96) {
    std::mt19937 random(seed);
    Pair pair{{mxfp4, {}, {}}, {{}, {}, {}}, rows, columns};
    for (std::uint64_t i = 0; i < rows * columns / 2; ++i)
        pair.source.payload.push_back(static_cast<std::uint8_t>(random() >> 5));
    const int m = static_cast<int>(random() % 40) - 30;
    for (std::uint64_t i = 0; i < rows * columns / 32; ++i) {
        const int d = static_cast<int>(random() % 18) - 9;
        pair.source.scales.push_back(static_cast<std::uint8_t>(d + m + 127));
        const std::uint8_t code =
            d >= -6 ? static_cast<std::uint8_t>((d + 7) * 8) : static_cast<std::uint8_t>(1 << (d + 9));
        pair.target.scales.insert(pair.target.scales.end(), {code, code});
    }
    pair.target.payload = pair.source.payload;
    const float global = std::ldexp(1.0F, divides ? -m : m);
    pair.target.encoding = divides ? reciprocal(global) : nvfp4(global);
    return pair;
}

// Of values that no swap, shift or sign leaves alike.
inline Pair quiet_pair() {
    Pair pair = cast_pair(false, 1);
    for (auto* payload : {&pair.source.payload, &pair.target.payload}) {
        for (std::size_t i = 0; i < payload->size(); ++i)
            (*payload)[i] = static_cast<std::uint8_t>(0x21 + 0x11 * (i % 5) + i / 48 * 2);
    }
    return pair;
}

}  // namespace assay::bit_exact

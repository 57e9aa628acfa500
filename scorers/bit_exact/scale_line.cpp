#include "scorers/bit_exact/scale_line.hpp"

#include <cassert>
#include <cstring>

namespace assay::bit_exact {

ScaleLine longest_line(const std::array<std::uint32_t, 256>& match) noexcept {
    ScaleLine longest;
    for (unsigned first = 0; first < 255; ++first) {
        if (match[first] > 255 || match[first + 1] > 255) continue;
        const std::uint32_t step = match[first + 1] - match[first];
        unsigned last = first + 1;
        while (last < 255 && match[last + 1] <= 255 && match[last + 1] - match[last] == step) ++last;
        if (longest.first <= longest.last && last - first <= unsigned{longest.last} - longest.first) continue;
        longest = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last), static_cast<std::uint8_t>(step),
                   static_cast<std::uint8_t>(match[first] - step * first)};
    }
    return longest;
}

// Plain loops without a way out, which the compiler turns into vectors.
bool all_on_line(const ScaleLine& line, std::span<const std::byte> source, std::span<const std::byte> target) noexcept {
    assert(target.size() == source.size() || target.size() == 2 * source.size());
    const auto* const from = reinterpret_cast<const unsigned char*>(source.data());
    const auto* const to = reinterpret_cast<const unsigned char*>(target.data());
    const std::size_t count = source.size();
    const auto [first, last, step, offset] = line;
    unsigned char outside = 0;
    for (std::size_t i = 0; i < count; ++i)
        outside = static_cast<unsigned char>(outside | (from[i] < first ? 1 : 0) | (from[i] > last ? 1 : 0));
    if (outside != 0) return false;
    if (target.size() == count) {
        unsigned char different = 0;
        for (std::size_t i = 0; i < count; ++i)
            different = static_cast<unsigned char>(
                different | (static_cast<unsigned char>(from[i] * step + offset) ^ to[i]));
        return different == 0;
    }
    std::uint16_t different = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t two = 0;
        std::memcpy(&two, to + 2 * i, sizeof two);
        const unsigned match = static_cast<unsigned char>(from[i] * step + offset);
        different = static_cast<std::uint16_t>(different | (two ^ (match | match << 8)));
    }
    return different == 0;
}

}  // namespace assay::bit_exact

#include "scorers/rules/scale_survey.hpp"

#include <cstring>

namespace assay::rules {
namespace {

using checkpoints::BlockScale;

constexpr unsigned bit(ScaleOddity oddity) { return 1U << static_cast<unsigned>(oddity); }

// Oddities a code has by itself; a zero may be live, which its elements decide.
constexpr std::array<std::uint8_t, 256> oddities_of(BlockScale kind) {
    std::array<std::uint8_t, 256> table{};
    for (unsigned code = 0; code < 256; ++code) {
        unsigned found = 0;
        if (kind == BlockScale::e8m0) {
            if (code == 255) found |= bit(ScaleOddity::nan);
            if (code == 0) found |= bit(ScaleOddity::live_zero);
        } else {
            const unsigned magnitude = code & 0x7fU;
            const unsigned mantissa = code & 7U;
            const bool subnormal = magnitude < 8;
            const bool power = subnormal ? mantissa == 1 || mantissa == 2 || mantissa == 4 : mantissa == 0;
            if (magnitude == 0x7f)
                found |= bit(ScaleOddity::nan);
            else if (magnitude == 0)
                found |= bit(ScaleOddity::live_zero);
            else if (subnormal)
                found |= bit(ScaleOddity::subnormal);
            if (code >= 0x80 && magnitude != 0x7f) found |= bit(ScaleOddity::negative);
            if (!power) found |= bit(ScaleOddity::no_power);
        }
        table[code] = static_cast<std::uint8_t>(found);
    }
    return table;
}

constexpr auto e8m0_oddities = oddities_of(BlockScale::e8m0);
constexpr auto e4m3_oddities = oddities_of(BlockScale::e4m3);

// Not 0 where one of eight codes has an oddity or, of E4M3, two of a pair are unlike: of those, positive powers of two
// that are not subnormal have none.
template <bool e4m3>
std::uint64_t odd_bits(std::uint64_t codes) {
    constexpr std::uint64_t every = 0x0101010101010101U;
    if constexpr (e4m3) {
        const std::uint64_t no_power = codes & 0x87 * every;
        const std::uint64_t below_8 = ~(codes + 0x78 * every) & 0x80 * every;
        return no_power | below_8 | ((codes ^ codes >> 8) & 0x00ff00ff00ff00ffU);
    }
    const auto zeros = [](std::uint64_t bytes) { return (bytes - every) & ~bytes & 0x80 * every; };
    return zeros(codes) | zeros(~codes);
}

// Whether all of them, a multiple of eight, are free of that. A plain loop without a way out becomes vectors.
template <bool e4m3>
bool all_clean(std::span<const std::byte> codes) {
    std::uint64_t odd = 0;
    for (std::size_t i = 0; i < codes.size(); i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, codes.data() + i, sizeof eight);
        odd |= odd_bits<e4m3>(eight);
    }
    return odd == 0;
}

// Of one block's elements, a multiple of eight bytes: a file's holes make this the walk's whole work.
bool all_zero(std::span<const std::byte> packed) {
    constexpr std::uint64_t magnitudes = 0x7777777777777777U;  // signs of zeros do not matter
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < packed.size(); i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, packed.data() + i, sizeof eight);
        any |= eight & magnitudes;
    }
    return any == 0;
}

}  // namespace

void ScaleSurvey::add(const checkpoints::Layout& layout, std::uint64_t row, std::uint64_t columns,
                      std::span<const std::byte> codes, std::span<const std::byte> payload) noexcept {
    const bool e4m3 = layout.block_scale == BlockScale::e4m3;
    const auto& table = e4m3 ? e4m3_oddities : e8m0_oddities;
    const std::uint64_t in_row = columns / layout.block_columns;
    const std::uint64_t block_bytes = layout.block_columns / 2;
    scales += codes.size();
    const auto note = [&](std::size_t oddity, std::uint64_t index) {
        if (counts[oddity]++ != 0) return;
        first_row[oddity] = row + index / in_row;
        first_block[oddity] = index % in_row;
    };
    const auto clean = [&](std::uint64_t from, std::uint64_t count) {
        const auto some = codes.subspan(from, count);
        return e4m3 ? all_clean<true>(some) : all_clean<false>(some);
    };
    for (std::uint64_t start = 0; start < codes.size(); start += in_row) {
        if (in_row % 8 == 0 && clean(start, in_row)) continue;
        for (std::uint64_t column = 0; column < in_row; ++column) {
            const std::uint64_t i = start + column;
            if (column % 8 == 0 && column + 8 <= in_row && clean(i, 8)) {
                column += 7;
                continue;
            }
            unsigned found = table[static_cast<std::size_t>(codes[i])];
            if (e4m3 && column % 2 == 0 && column + 1 < in_row && codes[i] != codes[i + 1])
                found |= bit(ScaleOddity::unpaired);
            if (found == 0) continue;
            if ((found & bit(ScaleOddity::live_zero)) != 0 && all_zero(payload.subspan(i * block_bytes, block_bytes))) {
                found &= ~(bit(ScaleOddity::live_zero) | bit(ScaleOddity::no_power));
            }
            for (std::size_t oddity = 0; oddity < oddity_count; ++oddity) {
                if ((found >> oddity & 1U) != 0) note(oddity, i);
            }
        }
    }
}

}  // namespace assay::rules

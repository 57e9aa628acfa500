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

// Eight codes of which none has an oddity and, of E4M3, each two are alike: positive powers of two, not subnormal.
bool all_clean(const std::byte* at, bool e4m3) {
    std::uint64_t codes = 0;
    std::memcpy(&codes, at, sizeof codes);
    constexpr std::uint64_t every = 0x0101010101010101U;
    const auto has_zero = [](std::uint64_t bytes) { return ((bytes - every) & ~bytes & 0x80 * every) != 0; };
    if (!e4m3) return !has_zero(codes) && !has_zero(~codes);
    const bool powers = (codes & 0x87 * every) == 0 && ((codes + 0x78 * every) & 0x80 * every) == 0x80 * every;
    return powers && ((codes ^ codes >> 8) & 0x00ff00ff00ff00ffU) == 0;
}

bool all_zero(std::span<const std::byte> packed) {
    for (const std::byte byte : packed) {
        if ((byte & std::byte{0x77}) != std::byte{0}) return false;  // signs of zeros do not matter
    }
    return true;
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
    for (std::uint64_t start = 0; start < codes.size(); start += in_row) {
        for (std::uint64_t column = 0; column < in_row; ++column) {
            const std::uint64_t i = start + column;
            if (column % 8 == 0 && column + 8 <= in_row && all_clean(codes.data() + i, e4m3)) {
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

#include "scorers/statistics/philox.hpp"

namespace assay::statistics {
namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;

constexpr std::uint32_t low(std::uint64_t x) noexcept { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) noexcept { return static_cast<std::uint32_t>(x >> 32); }

// High half of a 64 by 64 bit product, from four 32-bit ones.
constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) noexcept {
    const std::uint64_t middle = std::uint64_t{high(a)} * low(b) + high(std::uint64_t{low(a)} * low(b));
    const std::uint64_t other = std::uint64_t{low(a)} * high(b) + low(middle);
    return std::uint64_t{high(a)} * high(b) + high(middle) + high(other);
}

}  // namespace

PhiloxBlock philox4x32_10(PhiloxBlock counter, std::array<std::uint32_t, 2> key) noexcept {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = kMultiplier0 * counter[0];
        const std::uint64_t p1 = kMultiplier1 * counter[2];
        counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return counter;
}

std::uint64_t Draws::word(std::uint32_t draw) const noexcept {
    const PhiloxBlock block = philox4x32_10({draw / 2, low(replicate_), high(replicate_), stream_}, {low(seed_), high(seed_)});
    const std::size_t half = 2 * (draw % 2);
    return block[half] | std::uint64_t{block[half + 1]} << 32;
}

std::uint64_t Draws::index(std::uint32_t draw, std::uint64_t n) const noexcept { return high_product(word(draw), n); }

double uniform_of(std::uint64_t word) noexcept { return static_cast<double>(word >> 11) * 0x1p-53; }

double Draws::uniform(std::uint32_t draw) const noexcept { return uniform_of(word(draw)); }

}  // namespace assay::statistics

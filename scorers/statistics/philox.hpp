// Philox4x32-10 (Salmon et al. 2011): four random words as a pure function of counter and key, so that a draw depends on
// (seed, stream, replicate, draw) and on nothing else, whatever the threads.
//
// The scheme here: key = {seed low, seed high}; counter = {draw / 2, replicate low, replicate high, stream}; draw d
// takes words 2(d mod 2) (low half) and 2(d mod 2) + 1 (high half) of that block.
#pragma once

#include <array>
#include <cstdint>

namespace assay::statistics {

using PhiloxBlock = std::array<std::uint32_t, 4>;
[[nodiscard]] PhiloxBlock philox4x32_10(PhiloxBlock counter, std::array<std::uint32_t, 2> key) noexcept;

class Draws {
public:
    Draws(std::uint64_t seed, std::uint32_t stream, std::uint64_t replicate) noexcept
        : seed_(seed), replicate_(replicate), stream_(stream) {}

    [[nodiscard]] std::uint64_t word(std::uint32_t draw) const noexcept;
    // 0..n-1; the high half of word * n, so that every draw takes exactly one word (bias below n / 2^64).
    [[nodiscard]] std::uint64_t index(std::uint32_t draw, std::uint64_t n) const noexcept;
    // [0, 1): the top 53 bits.
    [[nodiscard]] double uniform(std::uint32_t draw) const noexcept;

private:
    std::uint64_t seed_;
    std::uint64_t replicate_;
    std::uint32_t stream_;
};

[[nodiscard]] double uniform_of(std::uint64_t word) noexcept;

}  // namespace assay::statistics

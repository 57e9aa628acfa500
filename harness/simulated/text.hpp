// Text: one part of a reply (its thinking or its answer), made token by token when it is asked for.
//
// A Text of any length holds a few dozen bytes: filler words from a seed, then an ending that is kept.
// Tokens are about 4 bytes. The filler is plain lower-case words that declare no letter.
#pragma once

#include <cstdint>
#include <string>

namespace assay::simulated {

class Text {
public:
    Text() = default;  // no tokens

    // `filler` tokens of filler, then `ending` (UTF-8) in tokens of up to 4 bytes that split no character.
    Text(std::uint64_t seed, std::int64_t filler, std::string ending = {});
    [[nodiscard]] static Text of(std::string words) { return Text(0, 0, std::move(words)); }

    [[nodiscard]] std::int64_t tokens() const noexcept { return tokens_; }
    void cut_to(std::int64_t tokens) noexcept;  // keeps the first `tokens`; no effect where there are fewer

    void append(std::int64_t token, std::string& out) const;  // token in [0, tokens())
    [[nodiscard]] std::string all() const;

private:
    [[nodiscard]] std::size_t ending_start(std::int64_t token) const noexcept;

    std::uint64_t seed_ = 0;
    std::int64_t filler_ = 0;
    std::int64_t tokens_ = 0;
    std::string ending_;
};

// A well-mixed 64-bit function of two (SplitMix64's finaliser, Steele et al. 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t z = a + 0x9e3779b97f4a7c15U * (b + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// The uniform number in [0, 1) that a mixed value stands for.
[[nodiscard]] constexpr double unit(std::uint64_t mixed) noexcept { return static_cast<double>(mixed >> 11) * 0x1p-53; }

}  // namespace assay::simulated

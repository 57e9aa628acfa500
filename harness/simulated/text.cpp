#include "harness/simulated/text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace assay::simulated {
namespace {

constexpr std::int64_t token_bytes = 4;

constexpr std::array<std::string_view, 32> words = {
    "the ", "sum ", "and ", "two ", "law ", "ion ", "gas ", "heat ", "term ", "then ", "spin ", "bond ", "mass ", "rate ", "gene ", "cell ",
    "wave ", "base ", "ring ", "acid ", "of ",  "so ",  "is ",  "we ",   "note ", "that ", "with ", "from ", "both ", "each ", "less ", "more "};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

}  // namespace

Text::Text(std::uint64_t seed, std::int64_t filler, std::string ending)
    : seed_(seed), filler_(std::max<std::int64_t>(filler, 0)), ending_(std::move(ending)) {
    tokens_ = filler_ + (static_cast<std::int64_t>(ending_.size()) + token_bytes - 1) / token_bytes;
}

void Text::cut_to(std::int64_t tokens) noexcept {
    tokens_ = std::clamp<std::int64_t>(tokens, 0, tokens_);
}

std::size_t Text::ending_start(std::int64_t token) const noexcept {
    auto at = static_cast<std::size_t>((token - filler_) * token_bytes);
    while (at < ending_.size() && continues(ending_[at])) ++at;
    return std::min(at, ending_.size());
}

void Text::append(std::int64_t token, std::string& out) const {
    assert(token >= 0 && token < tokens_);
    if (token < filler_) {
        out.append(words[mix(seed_, static_cast<std::uint64_t>(token)) % words.size()]);
        return;
    }
    const std::size_t from = ending_start(token);
    out.append(ending_, from, ending_start(token + 1) - from);
}

std::string Text::all() const {
    std::string out;
    out.reserve(static_cast<std::size_t>(tokens_ * (token_bytes + 1)));
    for (std::int64_t token = 0; token < tokens_; ++token) append(token, out);
    return out;
}

}  // namespace assay::simulated

#include "harness/files/utf8.hpp"

namespace assay::files {
namespace {

// Unicode 15, table 3-7: what may follow a first byte. The bounds hold for the second byte; later ones are 80..BF.
struct Form {
    int length;
    unsigned char low;
    unsigned char high;
};

constexpr Form form_of(unsigned char first) noexcept {
    if (first >= 0xc2 && first <= 0xdf) return {2, 0x80, 0xbf};
    if (first == 0xe0) return {3, 0xa0, 0xbf};
    if (first == 0xed) return {3, 0x80, 0x9f};
    if (first >= 0xe1 && first <= 0xef) return {3, 0x80, 0xbf};
    if (first == 0xf0) return {4, 0x90, 0xbf};
    if (first >= 0xf1 && first <= 0xf3) return {4, 0x80, 0xbf};
    if (first == 0xf4) return {4, 0x80, 0x8f};
    return {0, 0, 0};
}

}  // namespace

std::uint32_t next_code_point(std::string_view text, std::size_t& at) noexcept {
    constexpr std::uint32_t replacement = 0xfffd;
    const auto first = static_cast<unsigned char>(text[at++]);
    if (first < 0x80) return first;
    const Form form = form_of(first);
    if (form.length == 0) return replacement;
    std::uint32_t code_point = first & (0xffU >> (form.length + 1));
    for (int i = 1; i < form.length; ++i) {
        if (at >= text.size()) return replacement;
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < (i == 1 ? form.low : 0x80) || byte > (i == 1 ? form.high : 0xbf)) return replacement;
        code_point = (code_point << 6) | (byte & 0x3fU);
        ++at;
    }
    return code_point;
}

}  // namespace assay::files

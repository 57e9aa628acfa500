#include "datasets/questions/unicode.hpp"

namespace assay::questions {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) noexcept { return static_cast<unsigned char>(text[index]); }

bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0) == 0x80; }

// Length of the well-formed sequence at `at`, or 0.
std::size_t well_formed_length(std::string_view text, std::size_t at) noexcept {
    const unsigned char lead = byte_at(text, at);
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    unsigned char lowest = 0x80;  // range of the second byte: narrower where a longer form or a surrogate would begin
    unsigned char highest = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0) lowest = 0xA0;
        if (lead == 0xED) highest = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0) lowest = 0x90;
        if (lead == 0xF4) highest = 0x8F;
    } else {
        return 0;
    }
    if (text.size() - at < length) return 0;
    if (byte_at(text, at + 1) < lowest || byte_at(text, at + 1) > highest) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (!is_continuation(byte_at(text, at + i))) return 0;
    }
    return length;
}

}  // namespace

CodePoint first_code_point(std::string_view text) noexcept {
    const unsigned char lead = byte_at(text, 0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t value = lead & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (byte_at(text, i) & 0x3F);
    return {value, length};
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = well_formed_length(text, at);
        if (length == 0) return at;
        at += length;
    }
    return std::nullopt;
}

bool is_python_space(char32_t code_point) noexcept {
    switch (code_point) {
        case 0x20: case 0x85: case 0xA0: case 0x1680: case 0x2028: case 0x2029: case 0x202F: case 0x205F: case 0x3000:
            return true;
        default:
            return (code_point >= 0x09 && code_point <= 0x0D) || (code_point >= 0x1C && code_point <= 0x1F) ||
                   (code_point >= 0x2000 && code_point <= 0x200A);
    }
}

std::string_view python_strip(std::string_view text) noexcept {
    while (!text.empty()) {
        const CodePoint first = first_code_point(text);
        if (!is_python_space(first.value)) break;
        text.remove_prefix(first.length);
    }
    return python_strip_end(text);
}

std::string_view python_strip_end(std::string_view text) noexcept {
    while (!text.empty()) {
        std::size_t start = text.size() - 1;
        while (start > 0 && is_continuation(byte_at(text, start))) --start;
        if (!is_python_space(first_code_point(text.substr(start)).value)) break;
        text = text.substr(0, start);
    }
    return text;
}

}  // namespace assay::questions

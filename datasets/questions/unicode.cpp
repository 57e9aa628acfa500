#include "datasets/questions/unicode.hpp"

#include "harness/files/utf8.hpp"

namespace assay::questions {

std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept {
    constexpr std::uint32_t replacement = 0xFFFD;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        // What is ill-formed reads as the replacement character, which may also stand in the text itself.
        if (files::next_code_point(text, at) == replacement && text.substr(start, 3) != "\xEF\xBF\xBD") return start;
    }
    return std::nullopt;
}

bool is_python_space(std::uint32_t code_point) noexcept {
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
        std::size_t next = 0;
        if (!is_python_space(files::next_code_point(text, next))) break;
        text.remove_prefix(next);
    }
    return python_strip_end(text);
}

std::string_view python_strip_end(std::string_view text) noexcept {
    while (!text.empty()) {
        std::size_t start = text.size() - 1;
        while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
        std::size_t at = start;
        if (!is_python_space(files::next_code_point(text, at))) break;
        text = text.substr(0, start);
    }
    return text;
}

}  // namespace assay::questions

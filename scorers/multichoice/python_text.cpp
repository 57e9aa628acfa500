#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {
namespace {

struct CodePoint {
    char32_t value;
    std::size_t length;
};

CodePoint decode(std::string_view valid, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(valid[at + i])); };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xE0) return {((lead & 0x1F) << 6) | (byte(1) & 0x3F), 2};
    if (lead < 0xF0) return {((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F), 3};
    return {((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F), 4};
}

std::size_t previous(std::string_view valid, std::size_t end) {
    do --end;
    while (!starts_code_point(valid[end]));
    return end;
}

}  // namespace

bool is_python_space(char32_t c) noexcept {
    if (c <= 0x20) return (c >= 0x09 && c <= 0x0D) || c >= 0x1C;
    if (c < 0x85) return false;
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

std::size_t skip_space_backwards(Utf8View text, std::size_t end) {
    while (end > 0) {
        const std::size_t before = previous(text.bytes(), end);
        if (!is_python_space(decode(text.bytes(), before).value)) break;
        end = before;
    }
    return end;
}

Utf8View strip(Utf8View text) {
    const std::size_t end = skip_space_backwards(text, text.size());
    std::size_t begin = 0;
    while (begin < end) {
        const CodePoint c = decode(text.bytes(), begin);
        if (!is_python_space(c.value)) break;
        begin += c.length;
    }
    return text.substr(begin, end - begin);
}

std::string upper_letter(Utf8View letter) {
    const std::string_view bytes = letter.bytes();
    if (bytes == "\u0131") return "I";
    if (bytes == "\u017F") return "S";
    if (bytes.size() == 1 && bytes[0] >= 'a' && bytes[0] <= 'z') return std::string(1, static_cast<char>(bytes[0] - 'a' + 'A'));
    return std::string(bytes);
}

}  // namespace assay::multichoice

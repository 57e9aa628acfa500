#include "scorers/multichoice/python_text.hpp"

#include "scorers/multichoice/pattern.hpp"

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

std::string upper_case(Utf8View letter) {
    static const Pattern kLetters(R"(\p{L}+)");
    if (letter.bytes() == "\u00df") return "SS";
    if (std::string upper = upper_letter(letter); upper != letter.bytes()) return upper;
    return kLetters.replaced(letter, R"(\U$0)");
}

std::string lower_case(Utf8View text) {
    // A capital sigma that ends a word has a form of its own (Unicode's Final_Sigma).
    static const Pattern kFinalSigma(
        R"(([\p{Lu}\p{Ll}\p{Lt}\x{2160}-\x{217F}\x{24B6}-\x{24E9}][\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a]*)\u03a3)"
        R"((?![\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a]*[\p{Lu}\p{Ll}\p{Lt}\x{2160}-\x{217F}\x{24B6}-\x{24E9}]))");
    static const Pattern kLetters(R"(\p{L}+)");
    if (text.bytes().find("\u03a3") == std::string_view::npos) return kLetters.replaced(text, R"(\L$0)");
    const RepairedText with_finals(kFinalSigma.replaced(text, "$1\u03c2"));
    return kLetters.replaced(with_finals.view(), R"(\L$0)");
}

std::string without_punctuation(Utf8View text) {
    static const Pattern kPunctuation(R"(\p{P}+)");
    return kPunctuation.replaced(text, "");
}

}  // namespace assay::multichoice

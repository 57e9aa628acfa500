#include "scorers/multichoice/extractors/nemo_parts.hpp"

#include <cstring>
#include <string_view>

#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice::nemo {
namespace {

constexpr bool is_ascii_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// string_view::rfind goes byte by byte; replies are long and the last match is usually near the end or nowhere.
std::size_t last_byte(std::string_view text, char byte, std::size_t end) {
    const void* found = end == 0 ? nullptr : memrchr(text.data(), byte, end);
    if (found == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t last_text(std::string_view text, std::string_view wanted) {
    std::size_t at = last_byte(text, wanted.front(), text.size());
    while (at != std::string_view::npos && !text.substr(at).starts_with(wanted)) at = last_byte(text, wanted.front(), at);
    return at;
}

}  // namespace

std::optional<Utf8View> last_box(Utf8View text) {
    constexpr std::string_view kOpen = "\\boxed{";
    const std::string_view bytes = text.bytes();
    const std::size_t box = last_text(bytes, "\\boxed");
    if (box == std::string_view::npos || !bytes.substr(box).starts_with(kOpen)) return std::nullopt;
    int open = 0;
    for (std::size_t i = bytes.find_first_of("{}", box); i != std::string_view::npos; i = bytes.find_first_of("{}", i + 1)) {
        open += bytes[i] == '{' ? 1 : -1;
        if (open == 0) return text.substr(box + kOpen.size(), i - box - kOpen.size());
    }
    return std::nullopt;
}

std::optional<Utf8View> final_answer_phrase(Utf8View text) {
    constexpr std::string_view kPhrase = "The final answer is ";
    const std::string_view bytes = text.bytes();
    const std::size_t end = bytes.ends_with('\n') ? bytes.size() - 1 : bytes.size();
    const std::size_t newline = last_byte(bytes, '\n', end);
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t phrase = bytes.substr(0, end).find(kPhrase, line);
    if (phrase == std::string_view::npos || phrase + kPhrase.size() == end) return std::nullopt;
    return text.substr(phrase + kPhrase.size(), end - phrase - kPhrase.size());
}

// The lookahead of the pattern asks for the last one, so it is looked for from the end.
std::optional<std::string> lone_capital(Utf8View text, char highest) {
    static const Pattern kLone(R"((?<!\w)[A-Z](?!\w))");
    const std::string_view bytes = text.bytes();
    for (std::size_t i = bytes.size(); i-- > 0;) {
        if (bytes[i] < 'A' || bytes[i] > highest) continue;
        if (i > 0 && is_ascii_word(bytes[i - 1])) continue;
        if (i + 1 < bytes.size() && is_ascii_word(bytes[i + 1])) continue;
        if (kLone.at(text, i)) return std::string(1, bytes[i]);
    }
    return std::nullopt;
}

// Every match has one colon, no two matches share text up to it, and the stars before the word do not change
// the letter: so the last match is found from the last colon backwards, and a long reply costs next to nothing.
std::optional<Utf8View> answer_line(Utf8View text) {
    static const Pattern kLine(R"((?i)Answer[\*\_]{0,2}\s*:[\s\*\_]{0,2}\s*([A-Z])(?![a-zA-Z0-9]))");
    const std::string_view bytes = text.bytes();
    for (std::size_t colon = last_byte(bytes, ':', bytes.size()); colon != std::string_view::npos; colon = last_byte(bytes, ':', colon)) {
        std::size_t end = skip_space_backwards(text, colon);
        for (int stars = 0; stars < 2 && end > 0 && (bytes[end - 1] == '*' || bytes[end - 1] == '_'); ++stars) --end;
        if (end < 6 || (bytes[end - 1] != 'r' && bytes[end - 1] != 'R')) continue;
        // Seven bytes where the s is U+017F.
        for (const std::size_t length : {std::size_t{6}, std::size_t{7}}) {
            if (end < length || !starts_code_point(bytes[end - length])) continue;
            if (const auto match = kLine.at(text, end - length)) return match->groups[1];
        }
    }
    return std::nullopt;
}

std::string latin_letters(Utf8View text) {
    struct Letter {
        std::string_view other;
        char latin;
    };
    static constexpr Letter kLetters[]{
        {"\u0623", 'A'}, {"\u0628", 'B'}, {"\u062C", 'C'}, {"\u062F", 'D'}, {"\u0985", 'A'}, {"\u09AC", 'B'},
        {"\u09A1", 'C'}, {"\u09A2", 'D'}, {"\uFF21", 'A'}, {"\uFF22", 'B'}, {"\uFF23", 'C'}, {"\uFF24", 'D'},
    };
    std::string out;
    std::string_view rest = text.bytes();
    while (!rest.empty()) {
        std::size_t taken = 1;
        out += rest.front();
        for (const Letter& letter : kLetters) {
            if (!rest.starts_with(letter.other)) continue;
            out.back() = ' ';
            out += letter.latin;
            taken = letter.other.size();
        }
        rest.remove_prefix(taken);
    }
    return out;
}

}  // namespace assay::multichoice::nemo

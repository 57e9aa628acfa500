#include "scorers/multichoice/extractors/assay_label.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice::own {
namespace {

using std::string_view;

constexpr std::array<string_view, 9> kWideOpeners{"\u201C", "\u2018", "\uFF08", "\u3010", "\u300C", "\uFF3B", "\u00AB", "\\(", "\\["};
constexpr std::array<string_view, 9> kWideClosers{"\u201D", "\u2019", "\uFF09", "\u3011", "\u300D", "\uFF3D", "\u00BB", "\\)", "\\]"};
constexpr std::array<string_view, 7> kWideBlanks{"\u00A0", "\u3000", "\u200B", "\uFEFF", "\\,", "\\;", "\\ "};
constexpr std::array<string_view, 18> kConnectives{"because", "since", "as",  "with",  "which", "is",   "due", "for", "given",
                                                   "based",   "from",  "per", "where", "being", "that", "by",  "i.e", "so"};

constexpr int kMostOpeners = 24;  // wrappers before a letter; real replies have up to five

// Length of the list's member that `rest` begins with, 0 for none.
template <std::size_t N>
std::size_t member(string_view rest, const std::array<string_view, N>& list) {
    for (const string_view one : list) {
        if (rest.starts_with(one)) return one.size();
    }
    return 0;
}

// \text, \mathbf, \boxed and the like: a command that wraps; the brace after it is an opener of its own.
std::size_t wrapping_command(string_view rest) {
    static constexpr std::array<string_view, 16> kCommands{"\\textbf", "\\textit", "\\textrm", "\\textsf", "\\text", "\\mathrm",
                                                           "\\mathbf", "\\mathsf", "\\mathit", "\\mathcal", "\\boldsymbol", "\\bold",
                                                           "\\boxed",  "\\fbox",   "\\mbox",   "\\bf"};
    const std::size_t length = member(rest, kCommands);
    if (length == 0 || length == rest.size()) return length;
    const char next = rest[length];
    return next == '{' || next == ' ' ? length : 0;
}

struct Letter {
    char capital = 0;  // 0: none here
    bool lower = false;
    std::size_t length = 0;
};

Letter letter_at(string_view rest) {
    if (rest.empty()) return {};
    const char c = rest[0];
    if (c >= 'A' && c <= 'Z') return {c, false, 1};
    if (c >= 'a' && c <= 'z') return {static_cast<char>(c - 'a' + 'A'), true, 1};
    if (rest.size() < 3 || c != '\xEF') return {};  // full width: U+FF21 and U+FF41 on
    const int third = static_cast<unsigned char>(rest[2]);
    if (rest[1] == '\xBC' && third >= 0xA1 && third <= 0xBA) return {static_cast<char>('A' + third - 0xA1), false, 3};
    if (rest[1] == '\xBD' && third >= 0x81 && third <= 0x9A) return {static_cast<char>('A' + third - 0x81), true, 3};
    return {};
}

bool word_at(Utf8View text, std::size_t at) {
    static const Pattern kWord(R"(\w)");
    if (at >= text.size()) return false;
    const char c = text.bytes()[at];
    if (static_cast<unsigned char>(c) < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return kWord.at(text, at).has_value();
}

std::size_t skip_blanks(string_view text, std::size_t at, bool newlines) {
    while (at < text.size()) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || (newlines && (c == '\n' || c == '\r'))) {
            ++at;
        } else if (const std::size_t wide = member(text.substr(at), kWideBlanks); wide > 0) {
            at += wide;
        } else {
            break;
        }
    }
    return at;
}

// A letter with what wraps it.
struct Wrapped {
    Letter letter;
    bool opened = false;
    bool closed = false;
    std::size_t end = 0;
};

std::optional<Wrapped> wrapped_at(Utf8View text, std::size_t at) {
    const string_view bytes = text.bytes();
    Wrapped w;
    bool underscore = false;
    for (int openers = 0; openers < kMostOpeners; ++openers) {
        at = skip_blanks(bytes, at, !w.opened);
        const string_view rest = bytes.substr(at);
        std::size_t length = member(rest, kWideOpeners);
        if (length == 0) length = wrapping_command(rest);
        if (length == 0 && !rest.empty() && string_view("*_`\"'([{<$").find(rest[0]) != string_view::npos) length = 1;
        if (length == 0) break;
        underscore = rest[0] == '_';
        w.opened = true;
        at += length;
    }
    w.letter = letter_at(bytes.substr(at));
    if (w.letter.capital == 0) return std::nullopt;
    at += w.letter.length;
    if (word_at(text, at) && !(underscore && bytes[at] == '_')) return std::nullopt;
    if (at + 1 < bytes.size() && bytes[at] == '\'' && word_at(text, at + 1)) return std::nullopt;  // I'm
    while (true) {
        const std::size_t next = skip_blanks(bytes, at, false);
        const string_view rest = bytes.substr(next);
        std::size_t length = member(rest, kWideClosers);
        if (length == 0 && !rest.empty() && string_view("*_`\"')]}>$").find(rest[0]) != string_view::npos) length = 1;
        if (length == 0 || (next > at && !w.opened)) break;
        w.closed = true;
        at = next + length;
    }
    w.end = at;
    return w;
}

// Another choice named right there, as in "B or C" and "B, C": a capital that ends or is divided off itself.
bool names_another(Utf8View text, std::size_t at, char first, const Options& options) {
    const auto other = wrapped_at(text, at);
    if (!other || other->letter.lower || other->letter.capital == first) return false;
    if (!options.has_letter({&other->letter.capital, 1})) return false;
    const std::size_t next = skip_blanks(text.bytes(), other->end, false);
    if (next >= text.size()) return true;
    const string_view rest = text.bytes().substr(next);
    return string_view("\n\r.,;:)]}").find(rest[0]) != string_view::npos || rest.starts_with("and ") || rest.starts_with("or ");
}

bool follows(string_view rest, string_view option) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); };
    const string_view start = option.substr(0, 24);
    return start.size() >= 3 && rest.size() >= start.size() && std::equal(start.begin(), start.end(), rest.begin(), same);
}

enum class Tail { ends, several, refused };

Tail before_word(Utf8View text, std::size_t at, const Wrapped& w, Lead lead, const Options& options) {
    const string_view rest = text.bytes().substr(at);
    std::size_t length = 0;
    while (length < rest.size() && ((rest[length] >= 'a' && rest[length] <= 'z') || (rest[length] == '.' && length == 1))) ++length;
    const string_view word = rest.substr(0, length);
    if (word == "and" || word == "or") {
        if (names_another(text, at + length, w.letter.capital, options)) return Tail::several;
        return w.letter.lower ? Tail::refused : Tail::ends;
    }
    if (follows(rest, options.texts[static_cast<std::size_t>(w.letter.capital - 'A')])) return Tail::ends;
    if (w.opened && w.closed) return Tail::ends;
    if (w.letter.lower || w.letter.capital == 'I') return Tail::refused;
    if (std::find(kConnectives.begin(), kConnectives.end(), word) != kConnectives.end()) return Tail::ends;
    return lead == Lead::colon && w.letter.capital != 'A' ? Tail::ends : Tail::refused;
}

// What comes after the letter: an end, or the rest of a formula, a name, a question, a list.
Tail tail(Utf8View text, const Wrapped& w, Lead lead, const Options& options) {
    const string_view bytes = text.bytes();
    const std::size_t next = skip_blanks(bytes, w.end, false);
    const bool apart = next > w.end;
    if (next >= bytes.size() || bytes[next] == '\n' || bytes[next] == '\r') return Tail::ends;
    const string_view rest = bytes.substr(next);
    const char c = rest[0];
    if (word_at(text, next)) return apart || static_cast<unsigned char>(c) >= 0x80 ? before_word(text, next, w, lead, options) : Tail::refused;
    switch (c) {
        case '.': return rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9' ? Tail::refused : Tail::ends;
        case ';': case ':': case '!': case ')': case '"': case '\'': return Tail::ends;
        case ',':
        case '&':
            if (names_another(text, next + 1, w.letter.capital, options)) return Tail::several;
            return c == '&' || (w.letter.lower && !w.closed) ? Tail::refused : Tail::ends;
        case '-': return apart || w.closed ? Tail::ends : Tail::refused;
        case '(': case '[': return apart || w.closed ? Tail::ends : Tail::refused;
        case '<': return rest.starts_with("</") ? Tail::ends : Tail::refused;
        case '\\': return rest.starts_with("\\\\") ? Tail::ends : Tail::refused;
        default: break;
    }
    if (rest.starts_with("\u2013")) return apart ? Tail::ends : Tail::refused;
    static constexpr std::array<string_view, 7> kEnds{"\u2014", "\u3002", "\uFF0C", "\uFF1A", "\uFF1B", "\u3001", "\uFF01"};
    return member(rest, kEnds) > 0 ? Tail::ends : Tail::refused;
}

}  // namespace

std::optional<Label> label_at(Utf8View text, std::size_t at, Lead lead, const Options& options) {
    const auto w = wrapped_at(text, at);
    if (!w || !options.has_letter({&w->letter.capital, 1})) return std::nullopt;
    const Tail after = tail(text, *w, lead, options);
    if (after == Tail::refused) return std::nullopt;
    return Label{w->letter.capital, after == Tail::several, w->end};
}

std::optional<Label> label_of(Utf8View content, const Options& options) {
    static const Pattern kWords(R"((?i)\s*(?:(?:the|final|correct)\s+)*(?:answer|option|choice)\b\s*(?:is\b)?\s*:?)");
    const auto words = kWords.at(content, 0);
    const std::size_t at = words ? words->end : 0;
    const auto w = wrapped_at(content, at);
    if (!w || !options.has_letter({&w->letter.capital, 1})) return std::nullopt;
    const Label label{w->letter.capital, false, w->end};
    const string_view bytes = content.bytes();
    std::size_t next = skip_blanks(bytes, w->end, true);
    if (next >= bytes.size()) return label;
    const char c = bytes[next];
    if ((c == ',' || c == '&' || bytes.substr(next).starts_with("or ") || bytes.substr(next).starts_with("and ")) &&
        names_another(content, bytes.find_first_of(" ,&", next) + 1, w->letter.capital, options)) {
        return Label{w->letter.capital, true, w->end};
    }
    if (c == '.' || c == ':') return label;
    const bool divided = w->closed && bytes[w->end - 1] != '$';
    if (!divided) return std::nullopt;
    // "(A) x = 3" and "\text{A} 2.08" name a choice; "(A + B)" did not get here, "(A) \times 3" is a formula.
    return string_view("=+^<>\\/_").find(c) == string_view::npos ? std::optional(label) : std::nullopt;
}

}  // namespace assay::multichoice::own

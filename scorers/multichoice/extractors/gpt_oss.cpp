// openai/gpt-oss (7b583341), gpt_oss/evals/abcd_grader.py: thirteen patterns by priority, the first occurrence of the
// first that is found, upper-cased; else the text's first character, whatever it is.
//
// Three are written otherwise, to the same letters, so that time stays linear in the text:
// * white space before an optional sign is taken whole, and "^\s*" stays within its line;
// * the box and \textbf patterns are a search for the next '}'; the two patterns for a \textbf or \text inside a
//   box match only where the plain box pattern, which goes before them, matches too, and are left out;
// * the last one ends in parts that always match, which are left out.
#include <array>

#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice {
namespace {

// The first A..D between `open` and the next '}' after it, for the first `open` that has one.
std::optional<char> letter_in(std::string_view text, std::string_view open) {
    std::size_t from = 0;
    while (true) {
        const std::size_t begin = text.find(open, from);
        if (begin == std::string_view::npos) return std::nullopt;
        const std::size_t close = text.find('}', begin);
        if (close == std::string_view::npos) return std::nullopt;
        const std::string_view inside = text.substr(begin + open.size(), close - begin - open.size());
        const std::size_t letter = inside.find_first_of("ABCD");
        if (letter != std::string_view::npos) return inside[letter];
        from = close;
    }
}

std::optional<char> first_of(std::span<const Pattern> patterns, Utf8View text) {
    for (const Pattern& pattern : patterns) {
        const auto match = pattern.first(text);
        if (!match) continue;
        const char letter = match->groups[1]->bytes().front();
        return letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    return std::nullopt;
}

std::string first_character(Utf8View text) {
    const std::size_t begin = text.bytes().starts_with("**") ? 2 : 0;
    std::size_t end = begin;
    if (end < text.size()) ++end;
    while (end < text.size() && !starts_code_point(text.bytes()[end])) ++end;
    return std::string(text.bytes().substr(begin, end - begin));
}

}  // namespace

Extraction extract_gpt_oss(Utf8View text, const Options&) {
    static const std::array<Pattern, 5> kDeclared{
        Pattern(R"((?i)(?:\*{1,2}|_{1,2})Answer[s]?\s*[:\-–]?(?:\*{1,2}|_{1,2})\s*([ABCD])\b)"),
        Pattern(R"((?i)^(?:(?!\n)\s)*(?:\*{1,2}|_{1,2})?Answer:?(?:\*{1,2}|_{1,2})?\s*+:?\s*+(?:\*{1,2}|_{1,2})?([ABCD]))",
                {.multi_line = true}),
        Pattern(R"((?i)\bAnswer[s]?\b\s*+[:\-–]?\s*+\(\s*([ABCD])\s*\))"),
        Pattern(R"((?i)\bAnswer[s]?\b\s*+[:\-–]?\s*+([ABCD])\b)"),
        Pattern(R"((?i)\b(?:Option|Choice)\b\s*+[:\-–]?\s*+([ABCD])\b)"),
    };
    static const std::array<Pattern, 2> kBare{
        Pattern(R"((?<![A-Za-z0-9])[\(\[]\s*([ABCD])\s*[\)\]](?![A-Za-z0-9]))"),
        Pattern(R"((?<![A-Za-z0-9])(?:\*{1,2}|_{1,2})([ABCD])(?:\*{1,2}|_{1,2})(?![A-Za-z0-9]))"),
    };
    static const std::array<Pattern, 2> kLoose{
        Pattern(R"((?<![A-Za-z0-9])(?:\*{1,2}|_{1,2})\s*([ABCD])\)[^*_\n]+?(?:\*{1,2}|_{1,2})(?![A-Za-z0-9]))"),
        Pattern(R"(^(?:(?!\n)\s)*(?:\*{1,2}|_{1,2})?([ABCD]))", {.multi_line = true}),
    };
    std::optional<char> letter = first_of(kDeclared, text);
    if (!letter) letter = letter_in(text.bytes(), "\\boxed{");
    if (!letter) letter = first_of(kBare, text);
    if (!letter) letter = letter_in(text.bytes(), "\\textbf{");
    if (!letter) letter = first_of(kLoose, text);
    if (letter) return {std::string(1, *letter), {}};
    std::string first = first_character(text);
    if (first.empty()) return {};
    return {std::move(first), {}};
}

}  // namespace assay::multichoice

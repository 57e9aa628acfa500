// UKGovernmentBEIS/inspect_ai (499e6152), solver/_multiple_choice.py, one correct choice: the last "ANSWER: X" that
// begins a line and ends it or a sentence; where there is none, the last one anywhere. Upper-cased; no answer
// unless it is one letter on offer.
//
// The first pattern is (?i)^ANSWER\s*:\s*([A-Za-z\d ,]+)\s*(?:$|\n|\.) ; a blank belongs to both \s and the class,
// which costs cubic time on blanks as it stands. Taken apart: the class's run from the first other character
// on, or, where no such run ends well, blanks alone (which are no letter).
#include <algorithm>

#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {
namespace {

std::optional<std::string> allowed_letter(Utf8View matched, const Options& options) {
    const std::string_view bytes = matched.bytes();
    std::optional<std::string> only;
    std::size_t begin = 0;
    while (begin <= bytes.size()) {
        const std::size_t end = std::min(bytes.find(',', begin), bytes.size());
        if (end > begin) {
            if (only) return std::nullopt;
            only = upper_letter(matched.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    if (!only || !options.has_letter(*only)) return std::nullopt;
    return only;
}

}  // namespace

Extraction extract_inspect(Utf8View text, const Options& options) {
    static const Pattern kLine(
        R"((?i)^ANSWER\s*+:(?:\s*+([A-Za-z\d ,]++)(?:(?:(?!\n)\s)*+\n|\s*+\.|\s*+\Z))"
        R"(|(?:(?! )\s)*+ (?:(?:(?!\n)\s)*+\n|\s*+(?:\.|\Z))))",
        {.multi_line = true});
    static const Pattern kAnywhere(R"((?i)ANSWER\s*:\s*([A-Za-z\d ,]+)(?:[^\w]|\n|$|\.))");
    auto match = kLine.last(text);
    if (!match) match = kAnywhere.last(text);
    if (!match || !match->groups[1]) return {};
    auto letter = allowed_letter(strip(*match->groups[1]), options);
    if (!letter) return {};
    return {std::move(letter), {}};
}

}  // namespace assay::multichoice

// lm-evaluation-harness, filter "flexible-extract" of gpqa_*_cot_*: the last "(X)"; else the last option whose text
// occurs, both lower-cased and without punctuation; else the last letter on offer after a colon.
//
// Lower-casing is that of lower_case(): a few letters outside ASCII come out otherwise than in Python.
#include <algorithm>

#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/lm_eval_parts.hpp"
#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {
namespace {

std::string plain(Utf8View text) {
    const RepairedText lower(lower_case(text));
    return without_punctuation(lower.view());
}

std::string in_parentheses(std::size_t option) { return {'(', static_cast<char>('A' + option), ')'}; }

// findall of the options' texts as alternatives, its last result; empty where an option is empty, since the
// empty alternative then matches at the very end.
std::string last_option_text(const std::string& text, std::span<const std::string> options) {
    if (std::any_of(options.begin(), options.end(), [](const std::string& option) { return option.empty(); })) return {};
    std::vector<std::size_t> next;  // where each occurs next
    for (const std::string& option : options) next.push_back(text.find(option));
    std::string_view last;
    while (true) {
        const auto first = std::min_element(next.begin(), next.end());
        if (first == next.end() || *first == std::string::npos) return std::string(last);
        last = options[static_cast<std::size_t>(first - next.begin())];
        const std::size_t from = *first + last.size();
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] < from) next[i] = text.find(options[i], from);
        }
    }
}

std::string by_option_text(Utf8View text, const Options& options) {
    std::vector<std::string> texts;
    for (const std::string& option : options.texts) texts.push_back(plain(strip(RepairedText(option).view())));
    const std::string found = last_option_text(plain(text), texts);
    const RepairedText valid(found);
    std::string match(strip(valid.view()).bytes());
    // Of equal texts the last one's letter is kept, as in the harness's dictionary.
    for (std::size_t i = texts.size(); i-- > 0;) {
        if (!match.empty() && texts[i] == match) return in_parentheses(i);
    }
    return match;
}

std::string by_letter_after_colon(Utf8View text, const Options& options) {
    static const Pattern kLetter(R"(:[\s]*([A-Z]))");
    std::string found;
    for (auto match = kLetter.first(text); match; match = kLetter.first(text, match->end)) {
        const std::string_view letter = match->groups[1]->bytes();
        if (options.has_letter(letter)) found = in_parentheses(static_cast<std::size_t>(letter[0] - 'A'));
    }
    return found;
}

}  // namespace

Extraction extract_lm_eval_flexible(Utf8View text, const Options& options) {
    static const Pattern kParentheses(R"((\([A-Z]\)))");
    if (const auto match = kParentheses.last(text)) return lm_eval::as_compared(match->groups[1]->bytes());
    std::string found = by_option_text(text, options);
    if (found.empty()) found = by_letter_after_colon(text, options);
    return lm_eval::as_compared(found);
}

}  // namespace assay::multichoice

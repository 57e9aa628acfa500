// The nine patterns that Artificial Analysis' methodology page gives for multiple choice, as public copies of it
// agree on them: the first pattern that hits, its last match, upper-cased.
#include <array>

#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"
#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {
namespace {

// \\boxed\{[^}]*([A-Z])[^}]*\} : the last capital between a box's opening and the next '}'. Boxes opened in between end
// at the same '}', so each stretch is read once.
std::optional<std::string> boxed_capital(Utf8View text) {
    constexpr std::string_view kOpen = "\\boxed{";
    const std::string_view bytes = text.bytes();
    std::optional<std::string> found;
    std::size_t close = 0;
    for (std::size_t open = bytes.find(kOpen); open != std::string_view::npos; open = bytes.find(kOpen, close)) {
        close = bytes.find('}', open);
        if (close == std::string_view::npos) break;
        const std::string_view inside = bytes.substr(open + kOpen.size(), close - open - kOpen.size());
        const std::size_t capital = inside.find_last_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (capital != std::string_view::npos) found = std::string(1, inside[capital]);
    }
    return found;
}

}  // namespace

Extraction extract_aa_cascade(Utf8View text, const Options&) {
    // The fifth is ([A-Z])\)\s*[^A-Z]* ; what follows the parenthesis can always be matched and is never read.
    static const std::array<Pattern, 7> kPatterns{
        Pattern(R"(answer is ([a-zA-Z]))"), Pattern(R"(answer is \(([a-zA-Z]))"),
        Pattern(R"(([A-Z])\))"),            Pattern(R"(([A-Z])\s+is\s+the\s+correct\s+answer)"),
        Pattern(R"(([A-Z])\s*$)"),          Pattern(R"(([A-Z])\s*\.)"),
        Pattern(R"(([A-Z])\s*[^\w])"),
    };
    if (const auto letter = nemo::answer_line(text)) return {upper_letter(*letter), {}};
    if (auto letter = boxed_capital(text)) return {std::move(letter), {}};
    for (const Pattern& pattern : kPatterns) {
        if (const auto match = pattern.last(text)) return {upper_letter(*match->groups[1]), {}};
    }
    return {};
}

}  // namespace assay::multichoice

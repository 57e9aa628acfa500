// This project's own extractor: the last explicit declaration of a letter that is on offer. What counts as one:
//   a box that holds a label              \boxed{B}, \boxed{\text{B}}, \boxed{B) 5 eV}
//   "answer" that leads to one            Answer: **B**, the final answer is (b), answer = $B$, Answer (B)
//   "correct option" and its kin likewise, "I choose option B", "B is the correct answer"
//   the last line, where it is a label    B, **(B)**, D) methane
// Not: conditions ("if the answer is B"), questions, lists (A/B/C/D), examples of the format, symbols of formulas, the
// article a, the pronoun I. Where the last declaration names several letters there is no answer, and `why` says so.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/assay_label.hpp"
#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice {
namespace {

using own::Label;
using own::Lead;

struct Declaration {
    std::size_t at = 0;  // where it ends
    Label label;
};

// A box or a last line with more bytes than this holds an argument, not a choice.
constexpr std::size_t kLongestLabel = 2000;

// Parts of the cues.
const std::string kSeparator =
    R"((?:(?:is|are|was|would\s+be|should\s+be|must\s+be|will\s+be)\b|:|\uff1a|=|-|\u2013|\u2014|\u2192))";
const std::string kFiller =
    R"((?:[*_\s:\uff1a}]|(?:therefore|thus|hence|indeed|clearly|definitely|simply|likely|probably|most|the|correct|right)"
    R"(|best|final|option|choice|letter|answer|is)\b,?)*+)";
const std::string kClosers = R"([*_`"')\]}\s]*+(?:\(final\)\s*+)?)";

bool is_conditional(Utf8View text, std::size_t at) {
    static const Pattern kBefore(
        R"((?i)(?:\b(?:if|whether|unless|suppose|assuming|why|check)\b(?:\s+(?:that|the|my|our|correct|final|right|true|best))*\s*)"
        R"(|(?:\be\.g\.|\bexample|\bform|\bformat)\b?[^\w\n]*)\Z)");
    std::size_t from = at > 64 ? at - 64 : 0;
    while (from < at && !starts_code_point(text.bytes()[from])) ++from;
    const std::size_t newline = text.bytes().substr(from, at - from).rfind('\n');
    if (newline != std::string_view::npos) from += newline + 1;
    return kBefore.first(text.substr(from, at - from)).has_value();
}

// The last of the cue's matches that a label follows.
std::optional<Declaration> last_after(const Pattern& cue, Utf8View text, const Options& options) {
    const auto matches = cue.all(text);
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
        const std::string_view led = match->groups[0]->bytes();
        const bool colon = led.find_first_of(":=") != std::string_view::npos || led.find("\uFF1A") != std::string_view::npos;
        const auto label = own::label_at(text, match->end, colon ? Lead::colon : Lead::phrase, options);
        if (label && !is_conditional(text, match->begin)) return Declaration{label->end, *label};
    }
    return std::nullopt;
}

// The last match whose first group is a letter on offer.
std::optional<Declaration> last_naming(const Pattern& pattern, Utf8View text, const Options& options) {
    const auto matches = pattern.all(text);
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
        char letter = match->groups[1]->bytes().front();
        if (letter >= 'a') letter = static_cast<char>(letter - 'a' + 'A');
        if (!options.has_letter({&letter, 1}) || is_conditional(text, match->begin)) continue;
        return Declaration{match->end, Label{letter, false, match->end}};
    }
    return std::nullopt;
}

struct Box {
    std::size_t begin;  // of its command
    std::size_t inside;
    std::size_t close;  // its closing brace
};

// Boxes whose braces balance, in the order in which they close; braces are matched once for the whole text.
std::vector<Box> closed_boxes(Utf8View text) {
    static const Pattern kBox(R"(\\(?:boxed|fbox)\s?\{)");
    const auto opened = kBox.all(text);
    const std::string_view bytes = text.bytes();
    std::vector<Box> closed;
    if (opened.empty()) return closed;
    std::vector<const Match*> open;  // null for a brace that is no box's
    auto next = opened.begin();
    for (std::size_t i = bytes.find_first_of("{}", next->begin); i != std::string_view::npos; i = bytes.find_first_of("{}", i + 1)) {
        if (bytes[i] == '{') {
            const bool is_box = next != opened.end() && next->end == i + 1;
            open.push_back(is_box ? &*next : nullptr);
            if (is_box) ++next;
        } else if (!open.empty()) {
            if (open.back() != nullptr) closed.push_back({open.back()->begin, open.back()->end, i});
            open.pop_back();
        }
    }
    return closed;
}

std::optional<Declaration> last_box(Utf8View text, const Options& options) {
    const auto boxes = closed_boxes(text);
    for (auto box = boxes.rbegin(); box != boxes.rend(); ++box) {
        if (box->close - box->inside > kLongestLabel) continue;
        const auto label = own::label_of(text.substr(box->inside, box->close - box->inside), options);
        if (label && !is_conditional(text, box->begin)) return Declaration{box->close + 1, *label};
    }
    return std::nullopt;
}

std::optional<Declaration> last_line(Utf8View text, const Options& options) {
    const std::string_view bytes = text.bytes();
    const std::size_t last = bytes.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos) return std::nullopt;
    const std::size_t newline = bytes.substr(0, last + 1).rfind('\n');
    const std::size_t from = newline == std::string_view::npos ? 0 : newline + 1;
    if (last - from > kLongestLabel) return std::nullopt;
    const Utf8View line = text.substr(from, last + 1 - from);
    auto label = own::label_of(line, options);
    if (!label) return std::nullopt;
    // With text after it the line must be that choice, not a sentence that begins with a letter.
    const std::string_view rest = line.bytes().substr(label->end);
    const bool bare = rest.find_first_not_of(" .*_$)") == std::string_view::npos;
    const std::string_view choice = options.texts[static_cast<std::size_t>(label->letter - 'A')];
    if (!bare && (choice.empty() || rest.find(choice) == std::string_view::npos)) return std::nullopt;
    return Declaration{last + 1, *label};
}

void keep_later(std::optional<Declaration>& latest, const std::optional<Declaration>& other) {
    if (other && (!latest || other->at > latest->at)) latest = other;
}

}  // namespace

Extraction extract_assay(Utf8View text, const Options& options) {
    // (?<!\w) where \b would say the same: only so does PCRE2 see which letters a match can begin with, and skip the rest.
    static const std::array<Pattern, 6> kCues{
        Pattern(R"((?i)(?<!\w)answers?\b)" + kClosers + R"((?:to\s+(?:this|the)\s+(?:question|problem)\s+)?)" + kSeparator + kFiller),
        Pattern(R"((?i)(?<!\w)answers?\s*+[*_]*+\s*+(?=[(\[]))"),
        Pattern(R"((?i)(?<!\w)(?:correct|right|best|final|my)\s+(?:option|choice|letter|selection|response)\b)" + kClosers + kSeparator + kFiller),
        Pattern(R"((?i)(?<!\w)(?:choose|select|pick|go(?:ing)?\s+with)\s+(?:option|choice|answer|letter)\s+)"),
        Pattern(R"((?i)<answer>)"),
        Pattern(R"(\u7b54\u6848\s*+(?:\u662f|\u4e3a|:|\uff1a)++)"),
    };
    static const std::array<Pattern, 2> kNaming{
        Pattern(R"((?i)(?<!\w)(?:option|choice|answer)\s+[*_(\[]*+([A-Z])[*_)\]]*+\s+is\s+(?:(?:therefore|thus|indeed|clearly)\s+)?)"
                R"((?:the\s+)?(?:correct|right|best)\b)"),
        Pattern(R"((?<!\w)([A-Z])[*_)\]]*+ is (?:(?:therefore|thus|indeed|clearly) )?the (?:correct|right|best) (?:answer|option|choice)\b)"),
    };
    std::optional<Declaration> latest = last_box(text, options);
    for (const Pattern& cue : kCues) keep_later(latest, last_after(cue, text, options));
    for (const Pattern& pattern : kNaming) keep_later(latest, last_naming(pattern, text, options));
    keep_later(latest, last_line(text, options));
    if (!latest) return {std::nullopt, "no letter on offer is declared as the answer"};
    if (latest->label.several) return {std::nullopt, "the last declaration names several letters"};
    return {std::string(1, latest->label.letter), {}};
}

}  // namespace assay::multichoice

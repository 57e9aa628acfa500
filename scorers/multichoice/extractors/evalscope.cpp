// modelscope/evalscope (fde259d2), utils/multi_choices.py, one correct choice: the last "ANSWER:" that labels follow, in
// brackets or plain; the labels up to the first other word; no answer unless they are one letter on offer. Where
// no marker has a label: the last upper-case letter of the text, if it is on offer.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {
namespace {

bool only_labels(std::string_view word, const Options& options) {
    for (const char c : word) {
        if (!options.has_letter({&c, 1})) return false;
    }
    return true;
}

// The part of `capture` up to its last leading token that is made of letters on offer; empty where there is none.
Utf8View label_prefix(Utf8View capture, const Options& options) {
    static const Pattern kToken(R"([A-Za-z\d]+)");
    std::size_t end = 0;
    for (auto token = kToken.first(capture); token; token = kToken.first(capture, token->end)) {
        if (!only_labels(token->groups[0]->bytes(), options)) break;
        end = token->end;
    }
    return capture.substr(0, end);
}

std::optional<Utf8View> last_labels(Utf8View text, const Options& options) {
    static const Pattern kMarker(R"((?i)ANSWER\s*:\s*\**\s*)");
    static const Pattern kBracketed(R"([\(\[（【]\s*([A-Za-z\d](?:\s*[,，]\s*[A-Za-z\d])*)\s*[\)\]）】])");
    static const Pattern kPlain(R"(([A-Za-z\d][A-Za-z\d ,]*))");
    const auto markers = kMarker.all(text);
    for (auto marker = markers.rbegin(); marker != markers.rend(); ++marker) {
        for (const Pattern* label : {&kBracketed, &kPlain}) {
            const auto match = label->at(text, marker->end);
            if (!match) continue;
            const Utf8View prefix = label_prefix(*match->groups[1], options);
            if (!prefix.empty()) return prefix;
        }
    }
    return std::nullopt;
}

// str.isupper(): Lu, and the other code points that Unicode calls uppercase.
std::optional<Utf8View> last_upper_case(Utf8View text) {
    static const Pattern kUpper(
        R"([\p{Lu}\x{2160}-\x{216F}\x{24B6}-\x{24CF}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}])");
    for (std::size_t i = text.size(); i-- > 0;) {
        if (!starts_code_point(text.bytes()[i])) continue;
        const char c = text.bytes()[i];
        const bool ascii = static_cast<unsigned char>(c) < 0x80;
        if (ascii && (c < 'A' || c > 'Z')) continue;
        if (const auto match = kUpper.at(text, i)) return match->groups[0];
    }
    return std::nullopt;
}

}  // namespace

Extraction extract_evalscope(Utf8View text, const Options& options) {
    std::optional<Utf8View> found = last_labels(text, options);
    if (found) {
        found = strip(*found);
    } else {
        found = last_upper_case(text);
    }
    if (!found || !options.has_letter(found->bytes())) return {};
    return {std::string(found->bytes()), {}};
}

}  // namespace assay::multichoice

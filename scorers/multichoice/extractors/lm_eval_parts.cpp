#include "scorers/multichoice/extractors/lm_eval_parts.hpp"

namespace assay::multichoice::lm_eval {
namespace {

bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

}  // namespace

Extraction as_compared(std::string_view filtered) {
    if (filtered.empty() || filtered == "[invalid]") return {};
    std::string rest;
    for (const char c : filtered) {
        if (!is_ascii_punctuation(c)) rest += c;
    }
    if (rest == "\u212A") return {"K", {}};  // KELVIN SIGN is k in lower case
    if (rest.size() == 1 && rest[0] >= 'a' && rest[0] <= 'z') rest[0] = static_cast<char>(rest[0] - 'a' + 'A');
    if (rest.size() == 1 && rest[0] >= 'A' && rest[0] <= 'Z') return {std::move(rest), {}};
    return {std::string(filtered), {}};
}

}  // namespace assay::multichoice::lm_eval

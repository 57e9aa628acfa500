// NeMo-Skills from 2025-10-30 (pull request 1002) to 2025-12, commit 0b012df8: what its gpqa benchmark used with
// its defaults (extract_from_boxed, relaxed). The default here.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v3(Utf8View text, const Options&) {
    std::optional<Utf8View> found = nemo::last_box(text);
    if (!found || found->empty()) found = nemo::final_answer_phrase(text);
    if (found) {
        // Any single character is taken as it is, be it a digit or a blank.
        if (found->is_one_code_point()) return {std::string(found->bytes()), {}};
        if (auto letter = nemo::lone_capital(*found)) return {std::move(letter), {}};
    }
    if (const auto letter = nemo::answer_line(text)) return {upper_letter(*letter), {}};
    return {};
}

}  // namespace assay::multichoice

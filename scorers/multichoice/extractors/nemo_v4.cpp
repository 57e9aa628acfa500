// NeMo-Skills since 2025-12 (pull request 1079; 5f85203b): the final-answer phrase before the box, letters of other
// scripts read as A to D, a single character upper-cased.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v4(Utf8View text, const Options&) {
    std::optional<Utf8View> found = nemo::final_answer_phrase(text);
    if (!found) found = nemo::last_box(text);
    if (found) {
        const RepairedText normalized(nemo::latin_letters(*found));
        const Utf8View content = strip(normalized.view());
        if (content.is_one_code_point()) return {upper_case(content), {}};
        if (auto letter = nemo::lone_capital(content)) return {std::move(letter), {}};
    }
    if (const auto letter = nemo::answer_line(text)) return {upper_letter(*letter), {}};
    return {};
}

}  // namespace assay::multichoice

// NeMo-Skills as pull request 1526 (open since 2026-09) has it: as nemo-v4, but an Answer line goes before a capital
// picked out of a longer box or phrase.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v6(Utf8View text, const Options&) {
    std::optional<Utf8View> found = nemo::final_answer_phrase(text);
    if (!found) found = nemo::last_box(text);
    const RepairedText normalized(found ? nemo::latin_letters(*found) : std::string());
    const Utf8View content = strip(normalized.view());
    if (content.is_one_code_point()) return {upper_case(content), {}};
    if (const auto letter = nemo::answer_line(text)) return {upper_letter(*letter), {}};
    if (auto letter = nemo::lone_capital(content)) return {std::move(letter), {}};
    return {};
}

}  // namespace assay::multichoice

// NeMo-Skills from 2025-10-20 (pull request 944) to 2025-10-30: as nemo-v3 without the final-answer phrase.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v2(Utf8View text, const Options&) {
    if (const auto box = nemo::last_box(text)) {
        if (box->is_one_code_point()) return {std::string(box->bytes()), {}};
        if (auto letter = nemo::lone_capital(*box)) return {std::move(letter), {}};
    }
    if (const auto letter = nemo::answer_line(text)) return {upper_letter(*letter), {}};
    return {};
}

}  // namespace assay::multichoice

// NeMo-Skills from 2025-06-30 (pull request 537) to 2025-10-20. Any box is an answer: without a lone capital
// A..J in it its whole content is the prediction, an empty one an empty text; an Answer line counts only where
// there is no box, and keeps its case.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/nemo_parts.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v1(Utf8View text, const Options&) {
    if (const auto box = nemo::last_box(text)) {
        if (!box->is_one_code_point()) {
            if (auto letter = nemo::lone_capital(*box, 'J')) return {std::move(letter), {}};
        }
        return {std::string(box->bytes()), {}};
    }
    if (const auto letter = nemo::answer_line(text)) return {std::string(letter->bytes()), {}};
    return {};
}

}  // namespace assay::multichoice

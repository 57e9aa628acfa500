// lm-evaluation-harness, filter "strict-match" of gpqa_*_cot_*: the rest of the line after the first "The answer is "
// that something follows, without its last character ((?<=The answer is )(.*)(?=.), first match).
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/extractors/lm_eval_parts.hpp"
#include "scorers/multichoice/pattern.hpp"
#include "scorers/multichoice/python_text.hpp"

namespace assay::multichoice {

Extraction extract_lm_eval_strict(Utf8View text, const Options&) {
    static const Pattern kAnswer(R"(The answer is (.*)(?=.))");
    const auto match = kAnswer.first(text);
    if (!match) return {};
    return lm_eval::as_compared(strip(*match->groups[1]).bytes());
}

}  // namespace assay::multichoice

// openai/simple-evals (ee3b0318), gpqa_eval.py: the first match, its case kept, so that "answer: b" is wrong.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice {

Extraction extract_simple_evals(Utf8View text, const Options&) {
    static const Pattern kAnswer(R"((?i)Answer[ \t]*:[ \t]*\$?([A-D])\$?)");
    const auto match = kAnswer.first(text);
    if (!match) return {};
    return {std::string(match->groups[1]->bytes()), {}};
}

}  // namespace assay::multichoice

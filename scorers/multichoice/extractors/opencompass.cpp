// open-compass/opencompass (a5acc4bb), gpqa_gen and gpqa_openai_simple_evals_gen_5aeece: the first match, its case kept.
#include "scorers/multichoice/extractors/all.hpp"
#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice {

Extraction extract_opencompass(Utf8View text, const Options&) {
    static const Pattern kAnswer(R"((?i)ANSWER\s*:\s*([A-D]))");
    const auto match = kAnswer.first(text);
    if (!match) return {};
    return {std::string(match->groups[1]->bytes()), {}};
}

}  // namespace assay::multichoice

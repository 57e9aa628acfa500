#include "scorers/multichoice/extractor.hpp"

#include <array>

#include "harness/error.hpp"
#include "scorers/multichoice/extractors/all.hpp"

namespace assay::multichoice {
namespace {

constexpr unsigned bit(questions::AnswerForm form) { return 1U << static_cast<unsigned>(form); }
constexpr unsigned kLine = bit(questions::AnswerForm::answer_line);
constexpr unsigned kBoxed = bit(questions::AnswerForm::boxed_line);
constexpr unsigned kLetter = bit(questions::AnswerForm::letter);
constexpr unsigned kFree = bit(questions::AnswerForm::free);

constexpr Reads kBoxesAndLines{"reads boxes and 'Answer: B'", kLine | kBoxed};
constexpr Reads kAnswerLines{"reads 'Answer: B' and no box", kLine};
constexpr Reads kManyForms{"reads many forms", kLine | kBoxed | kLetter | kFree};

constexpr std::array kTable{
    Extractor{"nemo-v1", "NVIDIA NeMo-Skills, 2025-06-30 to 2025-10-20: last box, else last Answer line", extract_nemo_v1, kBoxesAndLines},
    Extractor{"nemo-v2", "NVIDIA NeMo-Skills, 2025-10-20 to 2025-10-30: letter of the last box, else last Answer line",
              extract_nemo_v2, kBoxesAndLines},
    Extractor{"nemo-v3", "NVIDIA NeMo-Skills, 2025-10-30 to 2025-12 (0b012df8): last box or final-answer phrase, else last Answer line",
              extract_nemo_v3, kBoxesAndLines},
    Extractor{"nemo-v4", "NVIDIA NeMo-Skills since 2025-12 (5f85203b): final-answer phrase or last box, else last Answer line",
              extract_nemo_v4, kBoxesAndLines},
    Extractor{"nemo-v6", "NVIDIA NeMo-Skills pull request 1526: an Answer line goes before a letter inside a box", extract_nemo_v6, kBoxesAndLines},
    Extractor{"aa-cascade", "Artificial Analysis' nine patterns, as public copies have them: last match of the first that hits",
              extract_aa_cascade, kManyForms},
    Extractor{"simple-evals", "openai/simple-evals (ee3b0318): first Answer line, case kept", extract_simple_evals, kAnswerLines},
    Extractor{"gpt-oss", "openai/gpt-oss evals (7b583341): thirteen patterns by priority, else the first character", extract_gpt_oss, kManyForms},
    Extractor{"lm-eval-strict", "EleutherAI/lm-evaluation-harness gpqa 2.2 (4e7e0d47), strict-match: 'The answer is ...'",
              extract_lm_eval_strict, {"reads 'The answer is (B).' alone", kFree}},
    Extractor{"lm-eval-flexible", "EleutherAI/lm-evaluation-harness gpqa 2.2 (4e7e0d47), flexible-extract: last '(X)' or option text",
              extract_lm_eval_flexible, {"takes the last '(B)', else an option's text, for the answer", kFree}},
    Extractor{"inspect", "UKGovernmentBEIS/inspect_ai (499e6152): last ANSWER line, a letter on offer", extract_inspect, kAnswerLines},
    Extractor{"evalscope", "modelscope/evalscope (fde259d2): last ANSWER label on offer, else the last capital", extract_evalscope, kAnswerLines},
    Extractor{"opencompass", "open-compass/opencompass (a5acc4bb): first ANSWER match, case kept", extract_opencompass, kAnswerLines},
    Extractor{"assay", "this project: the last explicit declaration of a letter on offer; none where it is not sure", extract_assay, kManyForms},
};

}  // namespace

std::span<const Extractor> extractors() noexcept { return kTable; }

const Extractor& extractor_named(std::string_view name) {
    std::string known;
    for (const Extractor& extractor : kTable) {
        if (extractor.name == name) return extractor;
        if (!known.empty()) known += ", ";
        known += extractor.name;
    }
    throw Error("no extractor is called '" + std::string(name) + "'; choose one of: " + known);
}

}  // namespace assay::multichoice

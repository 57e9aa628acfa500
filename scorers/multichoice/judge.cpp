#include "scorers/multichoice/judge.hpp"

#include <utility>

namespace assay::multichoice {

Verdict judge(const Extractor& extractor, std::string_view text, const Options& options, char correct_letter) {
    const RepairedText repaired(text);
    Extraction extraction = extractor.extract(repaired.view(), options);
    Verdict verdict;
    verdict.prediction = std::move(extraction.prediction);
    verdict.why = extraction.why;
    verdict.correct = verdict.prediction && *verdict.prediction == std::string_view(&correct_letter, 1);
    return verdict;
}

}  // namespace assay::multichoice

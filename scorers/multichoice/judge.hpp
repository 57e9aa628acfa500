// From a reply's text to a verdict.
#pragma once

#include <string_view>

#include "scorers/multichoice/extractor.hpp"
#include "scorers/multichoice/options.hpp"
#include "scorers/multichoice/verdict.hpp"

namespace assay::multichoice {

// `text` is what the model said, any bytes: ill-formed UTF-8 is read as U+FFFD. `correct_letter` is the letter
// of the right choice ('A' + index). Safe to call from any number of threads at once.
[[nodiscard]] Verdict judge(const Extractor& extractor, std::string_view text, const Options& options, char correct_letter);

}  // namespace assay::multichoice

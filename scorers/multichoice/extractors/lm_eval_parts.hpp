// What both lm-evaluation-harness filters of the gpqa cot tasks share (EleutherAI/lm-evaluation-harness 4e7e0d47,
// gpqa task version 2.2).
#pragma once

#include "scorers/multichoice/extractor.hpp"

namespace assay::multichoice::lm_eval {

// The harness compares the filter's text with "(A)".."(D)" after lower-casing both and dropping ASCII punctuation.
// A text that equals a letter that way is that capital letter here; any other stays as it is; an empty one and
// "[invalid]", the harness's word for no match, are no answer.
[[nodiscard]] Extraction as_compared(std::string_view filtered);

}  // namespace assay::multichoice::lm_eval

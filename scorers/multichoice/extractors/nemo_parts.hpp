// The steps that the versions of NeMo-Skills' extractor are put together from
// (nemo_skills/evaluation/math_grader.py and evaluator/mcq.py).
#pragma once

#include <optional>
#include <string>

#include "scorers/multichoice/utf8.hpp"

namespace assay::multichoice::nemo {

// Inside of the last \boxed{...}: braces are counted, escaped ones too, from the last "\boxed" on. Absent where
// that one is not closed or has no brace right after the word, even if an earlier box is whole.
[[nodiscard]] std::optional<Utf8View> last_box(Utf8View text);

// Last result of findall("The final answer is (.+)$"): the rest of the last line after the first such phrase
// in it; one final newline is allowed after it.
[[nodiscard]] std::optional<Utf8View> final_answer_phrase(Utf8View text);

// The last capital 'A'..`highest` with no word character beside it:
// \b[A-Z]\b(?!.*\b[A-Z]\b) with DOTALL.
[[nodiscard]] std::optional<std::string> lone_capital(Utf8View text, char highest = 'Z');

// The letter, as it stands, of the last
// (?i)[\*\_]{0,2}Answer[\*\_]{0,2}\s*:[\s\*\_]{0,2}\s*([A-Z])(?![a-zA-Z0-9])
[[nodiscard]] std::optional<Utf8View> answer_line(Utf8View text);

// Arabic, Bengali and full-width letters that stand for A to D replaced by " A" to " D".
[[nodiscard]] std::string latin_letters(Utf8View text);

}  // namespace assay::multichoice::nemo

// What NeMo-Skills does to the texts of GPQA before it asks them (nemo_skills/dataset/gpqa/prepare.py and
// get_mcq_fields in nemo_skills/dataset/utils.py, as of November 2025). All texts are valid UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/record.hpp"

namespace assay::questions {

// A choice or an explanation: an absent cell becomes one space; otherwise white space at both ends is stripped, then
// " [title]" becomes ". ", then two spaces become one, in a single pass from the left (three give two, four two).
[[nodiscard]] std::string clean_text(const Cell& text);

// The writer's difficulty estimate up to its first parenthesis and the white space before it; absent stays absent.
[[nodiscard]] std::optional<std::string> clean_difficulty(const Cell& text);

// "A) first\nB) second\n..", without a newline at the end. At most 26 choices.
[[nodiscard]] std::string options_text(const std::vector<std::string>& choices);

// The question without newlines (and only those) at its ends, an empty line, then options_text.
[[nodiscard]] std::string problem_text(std::string_view question, const std::vector<std::string>& choices);

}  // namespace assay::questions

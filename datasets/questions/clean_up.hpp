// What harnesses do to the texts of GPQA before they ask them. All texts are valid UTF-8.
//
// Where none is named, it is NeMo-Skills: nemo_skills/dataset/gpqa/prepare.py and get_mcq_fields in
// nemo_skills/dataset/utils.py, as of November 2025.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/record.hpp"

namespace assay::questions {

// A choice or an explanation: a cell without a value becomes one space; otherwise white space at both ends is stripped, then
// " [title]" becomes ". ", then two spaces become one, in a single pass from the left (three give two, four two).
[[nodiscard]] std::string clean_text(const Cell& text);

// evalscope: a cell without a value becomes one space; otherwise white space at both ends is stripped.
[[nodiscard]] std::string stripped_text(const Cell& text);

// simple-evals and gpt-oss, which format what pandas read: the text as it is, "nan" for a cell without a value.
[[nodiscard]] std::string pandas_text(const Cell& text);

// inspect and OpenCompass, which read with Python's csv module: what is written, with_plain_newlines.
[[nodiscard]] std::string written_text(const Cell& text);

// Python's universal newlines, as in a file opened for text: "\r\n" and a lone "\r" become "\n".
[[nodiscard]] std::string with_plain_newlines(std::string_view text);

// The writer's difficulty estimate up to its first parenthesis and the white space before it; absent stays absent.
[[nodiscard]] std::optional<std::string> clean_difficulty(const Cell& text);

// "A) first\nB) second\n..", without a newline at the end. At most 26 choices.
[[nodiscard]] std::string options_text(const std::vector<std::string>& choices);

// The question without newlines (and only those) at its ends, an empty line, then options_text.
[[nodiscard]] std::string problem_text(std::string_view question, const std::vector<std::string>& choices);

}  // namespace assay::questions

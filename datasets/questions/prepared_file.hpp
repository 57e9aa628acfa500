// NeMo-Skills' prepared question files: one JSON object a line, choices already in the order asked.
//
// Keys, in the order in which NeMo-Skills writes them for GPQA (nemo_skills/dataset/gpqa/prepare.py, November 2025):
//   expected_answer (a letter), explanation, subset_for_metrics, difficulty (string or null), problem, options, A, B, C, D
// Its other multiple-choice sets add keys, which are ignored, and have up to ten choices, A to J.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/question.hpp"

namespace assay::questions {

struct PreparedFile {
    std::vector<Question> questions;  // at least one; problem as in the file, choices in its order, nothing cleaned
    std::vector<std::string> lines;   // the rows as they stand, without their line ends; parallel to questions
    std::vector<int> line_numbers;    // 1-based; parallel to questions
};

// Needed in each row: "problem" and "expected_answer", and choices under the letters A, B, .. without a gap and in that
// order, at least two and at most ten. Blank lines are skipped. The question's own text is "problem" without the
// "options" at its end and the newlines before them; all of "problem" where it does not end so.
//
// `text` is valid UTF-8 without a byte order mark. Throws assay::Error, naming `file`, row and line, where a line is not such
// an object, and where there is none.
[[nodiscard]] PreparedFile read_prepared_file(std::string_view text, const std::string& file);

// The row that NeMo-Skills writes for a question of GPQA's, byte for byte, without its newline: json.dump with Python's
// defaults, the keys above in the order above.
[[nodiscard]] std::string prepared_row(const Question& question);

}  // namespace assay::questions

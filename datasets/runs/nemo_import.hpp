// Reads a results folder of NeMo-Skills (nemo_blocks.hpp has its files).
//
// Source of names and meanings: nemo_skills/inference/generate.py and evaluation/evaluator/mcq.py of NVIDIA's
// NeMo-Skills (2025-11): one row a question, files zipped by position, so a row's place is its question number.
// A row that its harness gave up (`error`, and an empty generation) is unscored here, not wrong: outcome
// server_error, with detailed_error as its words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/nemo_blocks.hpp"

namespace assay::runs {

struct NemoRow {
    Attempt attempt;  // tries 1; finish_reason empty where the row has none
    // Of the row, where it has them.
    std::optional<std::string> expected_answer;
    std::optional<std::string> subset;   // subset_for_metrics
    std::optional<std::string> problem;  // question and options as one text
    bool judged = false;  // symbolic_correct is there: the row was evaluated
    std::optional<std::string> predicted_answer;  // unset where null: no answer was found
    std::optional<bool> symbolic_correct;
};

// What tells one question from another; 0 where the row does not say.
[[nodiscard]] std::size_t identity_of(const NemoRow& row);

// Whether the rows in one place of several files are of one question. Rows may come in any order of the files, but those of the
// first file first where messages are to blame the others.
class SameQuestions {
public:
    [[nodiscard]] bool fits(int row, std::size_t identity);

private:
    std::vector<std::size_t> identities_;  // by row; 0: not known yet
};
inline constexpr std::string_view other_question = "its problem or expected_answer is not the one in the same line of the other files: they are not of one run";

// Streams the rows, seed by seed in order of the seeds' numbers, then by question. Memory: one row at a time.
// Throws assay::Error, naming file and line, for a line that is no row (a file cut short), for files with
// different numbers of rows or different questions in one place, and for a folder without results. Rows before
// the error have been handed out by then.
NemoContents read_nemo_results(const std::string& folder, const std::function<void(NemoRow)>& visit);

}  // namespace assay::runs

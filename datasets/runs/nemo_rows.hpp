// Writes a run as NeMo-Skills' results files: output-rs<seed>.jsonl, one row a question.
//
// Field names and their order as its generate.py and mcq.py write them (2025-11), text and numbers as Python's
// json.dumps writes them. serialized_output, a second copy of the texts, is left out. An unscored attempt has
// the form of a row that its harness gave up: `error`, `detailed_error`, an empty generation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/run_reader.hpp"

namespace assay::runs {

struct NemoVerdict {
    std::optional<std::string> predicted_answer;
    bool symbolic_correct = false;
};

// One row, without a line feed. `attempt` is null where it was never sent. `input` is the question's row as
// NeMo-Skills prepares it, a JSON object with at least one member, taken over as it is.
[[nodiscard]] std::string nemo_row(const Attempt* attempt, const std::string& input, const NemoVerdict& verdict);

// Writes FOLDER/output-rs<seed>.jsonl for each seed, each replaced as a whole; rows in the order of `inputs`, where
// inputs[i] is that of question i. `judge` is asked for every scored attempt, in that order. Texts are read one
// attempt at a time. Throws assay::Error where the run cannot be read or a file cannot be written.
void write_nemo_results(RunReader& run, const std::string& folder, const std::vector<int>& seeds,
                        const std::vector<std::string>& inputs, const std::function<NemoVerdict(const Attempt&)>& judge);

}  // namespace assay::runs

// What NeMo-Skills' aggregation reads of one results file, row by row.
//
// Names in quotes are the keys of a row in output.jsonl and output-rsN.jsonl. An absent value is a key that is not in
// the row, which is not the same as 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::reports {

struct NemoRow {
    std::optional<std::string> predicted_answer;   // "predicted_answer"; absent: null. Any text votes, letter or not
    bool correct = false;                          // "symbolic_correct"
    std::optional<std::int64_t> generated_tokens;  // "num_generated_tokens"
    std::optional<std::int64_t> reasoning_tokens;  // "num_reasoning_tokens"
    std::optional<std::int64_t> answer_tokens;     // "num_answer_tokens"
    std::optional<double> started_unix_s;          // "generation_start_time"
    std::optional<double> ended_unix_s;            // "generation_end_time"
    std::optional<std::string> subset;             // "subset_for_metrics"; only that of the first file counts
};

struct NemoRun {
    std::string file;  // "output-rs10.jsonl": runs are taken in byte order of their names, so rs10 before rs2
    std::vector<NemoRow> rows;
};

}  // namespace assay::reports

// The attempts of a run as comma-separated lines (RFC 4180, but for lines that end in LF): for spreadsheets and data frames.
#pragma once

#include <string>
#include <vector>

#include "reports/score/run_header.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::reports {

struct AskedQuestion {
    std::string record_id;  // empty where the file has none
    char key = 'A';         // the letter of the right choice, as it was asked
};

// A line of names, then one line an attempt, by question and then by seed; `questions` as the rows of the table. Runs can be
// put one after the other: each line says which it is of.
//
//   run, simulated (its parameters; empty for a real endpoint), model, extractor, question, record_id, domain, subdomain,
//   seed, greedy (yes or no), state (as to_string(CellState)), outcome (of an unscored attempt), answer, key,
//   correct (yes or no; empty for an attempt without a score), completion_tokens, reasoning_tokens
//
// What is unknown is empty. Text from outside goes through csv_field(). No text of a question. Same inputs, same bytes.
[[nodiscard]] std::string attempts_csv(const RunHeader& header, const statistics::SeedTable& table, const std::vector<AskedQuestion>& questions);

}  // namespace assay::reports

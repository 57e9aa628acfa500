// GPQA's CSV files: gpqa_diamond.csv, gpqa_main.csv, gpqa_extended.csv, and any file with their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/record.hpp"

namespace assay::questions {

struct GpqaFile {
    std::vector<Record> records;     // in the file's order, at least one
    std::vector<std::string> notes;  // one line each; no text of a question
};

// Columns are found by name and others are ignored: "Question", "Correct Answer", "Incorrect Answer 1..3",
// "Explanation", "Subdomain" and "Writer's Difficulty Estimate" must be there, "High-level domain" and "Record ID" may be.
//
// A cell without a value is one that is empty or holds, and holds only, one of the marks that the pandas reader takes for a
// missing value (pandas.read_csv with its default na_values, as Hugging Face's datasets calls it):
// -nan -NaN -1.#IND -1.#QNAN 1.#IND 1.#QNAN <NA> #N/A "#N/A N/A" #NA N/A n/a NA NaN nan NULL null None.
// NeMo-Skills therefore asks a choice "None" as one space, and so does this reader, with a note.
//
// `text` is valid UTF-8 without a byte order mark. Throws assay::Error, naming `file`, row and line, for a missing or doubled
// column, a row with more or fewer fields than the header, a row without a question, no rows at all, and what csv_rows refuses.
[[nodiscard]] GpqaFile read_gpqa_file(std::string_view text, const std::string& file);

}  // namespace assay::questions

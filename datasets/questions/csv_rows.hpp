// Rows of comma-separated values (RFC 4180), with the line each begins on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::questions {

struct CsvRow {
    int line = 0;  // 1-based line of the file
    std::vector<std::string> fields;
};

// All rows of `text`, the header first. Fields are as they stand, white space included; a quoted field may hold commas,
// newlines of any kind and doubled quotes. Lines end with LF, CRLF or CR; lines with nothing on them are skipped.
// `text` must not begin with a byte order mark.
// Throws assay::Error, beginning with `file`, row and line, where a quote stands inside an unquoted field, text follows a
// closing quote, or the last field is not closed. Data rows are counted from 1 after the header.
[[nodiscard]] std::vector<CsvRow> csv_rows(std::string_view text, const std::string& file);

}  // namespace assay::questions

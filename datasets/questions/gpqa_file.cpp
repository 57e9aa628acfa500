#include "datasets/questions/gpqa_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "datasets/questions/csv_rows.hpp"
#include "datasets/questions/row_list.hpp"
#include "harness/error.hpp"

namespace assay::questions {
namespace {

constexpr std::array<std::string_view, 18> missing_value_marks{
    "-nan", "-NaN", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "N/A", "n/a", "NA", "NaN", "nan", "NULL", "null", "None"};

enum ColumnName : std::size_t {
    question, correct, incorrect_1, incorrect_2, incorrect_3, explanation, subdomain, difficulty, domain, record_id, column_count
};

struct Column {
    std::string_view name;
    bool needed;
};

constexpr std::array<Column, column_count> columns{{
    {"Question", true}, {"Correct Answer", true}, {"Incorrect Answer 1", true}, {"Incorrect Answer 2", true}, {"Incorrect Answer 3", true},
    {"Explanation", true}, {"Subdomain", true}, {"Writer's Difficulty Estimate", true}, {"High-level domain", false}, {"Record ID", false}}};

constexpr std::size_t not_there = std::numeric_limits<std::size_t>::max();

// Where each of `columns` stands in a row of the file; not_there for an optional one that the file lacks.
using ColumnPlaces = std::array<std::size_t, column_count>;

// The first names of a header that is not GPQA's, each cut short: a file without a header has a question there.
std::string some_names(const std::vector<std::string>& header) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(header.size(), 3); ++i) {
        const bool is_long = header[i].size() > 24;
        const bool is_plain = std::all_of(header[i].begin(), header[i].end(), [](char c) { return c >= ' ' && c <= '~'; });
        names.push_back(!is_plain ? "(not plain text)" : is_long ? fmt::format("'{}..'", header[i].substr(0, 24)) : fmt::format("'{}'", header[i]));
    }
    return fmt::format("{}{}", fmt::join(names, ", "), header.size() > names.size() ? ", .." : "");
}

ColumnPlaces find_columns(const CsvRow& header, const std::string& file) {
    ColumnPlaces places{};
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < column_count; ++i) {
        const auto first = std::find(header.fields.begin(), header.fields.end(), columns[i].name);
        places[i] = first == header.fields.end() ? not_there : static_cast<std::size_t>(first - header.fields.begin());
        if (first == header.fields.end()) {
            if (columns[i].needed) missing.push_back(fmt::format("'{}'", columns[i].name));
        } else if (std::find(first + 1, header.fields.end(), columns[i].name) != header.fields.end()) {
            throw Error(fmt::format("{}: header (line {}): column '{}' is there twice; keep one of them", file, header.line, columns[i].name));
        }
    }
    if (missing.empty()) return places;
    throw Error(fmt::format("{}: header (line {}): missing column{} {}; found {} column{}: {}; expected a CSV file with GPQA's column names in "
                            "its first line, or NeMo-Skills' prepared JSON lines", file, header.line, missing.size() == 1 ? "" : "s",
                            fmt::join(missing, ", "), header.fields.size(), header.fields.size() == 1 ? "" : "s", some_names(header.fields)));
}

class RecordReader {
public:
    RecordReader(const CsvRow& header, const std::string& file)
        : file_(file), width_(header.fields.size()), places_(find_columns(header, file)) {
        for (const ColumnName name : {domain, record_id}) {
            if (places_[name] == not_there) notes_.push_back(fmt::format("the file has no column '{}'", columns[name].name));
        }
    }

    Record read(CsvRow& row, int number) {
        const std::string where = fmt::format("{}: {}", file_, row_place(number, row.line));
        if (row.fields.size() != width_) {
            throw Error(fmt::format("{}: {} field{} where the header has {}; look for a missing or a surplus comma, or a field with commas that is "
                                    "not quoted", where, row.fields.size(), row.fields.size() == 1 ? "" : "s", width_));
        }
        const auto cell = [&](ColumnName name) { return take(row, number, name); };
        const Cell text = cell(question);
        if (!text) throw Error(where + ": column 'Question' has no value; fill it or remove the row");
        return {number, row.line, *text, cell(correct), {cell(incorrect_1), cell(incorrect_2), cell(incorrect_3)},
                cell(explanation), cell(subdomain), cell(difficulty), cell(domain), cell(record_id)};
    }

    std::vector<std::string> finish() {
        if (!marked_.empty()) {
            notes_.push_back(fmt::format("read as a missing value, as pandas reads it for NeMo-Skills (a cell that holds only NA, None, nan or the like): {}",
                                         marked_.text()));
        }
        return std::move(notes_);
    }

private:
    Cell take(CsvRow& row, int number, ColumnName name) {
        if (places_[name] == not_there) return {};
        std::string& field = row.fields[places_[name]];
        if (field.empty()) return {};
        if (std::find(missing_value_marks.begin(), missing_value_marks.end(), field) != missing_value_marks.end()) {
            marked_.add(number, row.line);
            return Cell::without_value(std::move(field));
        }
        return {std::move(field)};
    }

    const std::string& file_;
    std::size_t width_;
    ColumnPlaces places_;
    RowList marked_;
    std::vector<std::string> notes_;
};

}  // namespace

GpqaFile read_gpqa_file(std::string_view text, const std::string& file) {
    std::vector<CsvRow> rows = csv_rows(text, file);
    if (rows.empty()) throw Error(file + ": the file is empty; expected a CSV file with GPQA's column names, or NeMo-Skills' prepared JSON lines");
    RecordReader reader(rows.front(), file);
    if (rows.size() == 1) throw Error(fmt::format("{}: no rows after the header (line {}); expected a row a question", file, rows.front().line));
    GpqaFile result;
    for (std::size_t i = 1; i < rows.size(); ++i) result.records.push_back(reader.read(rows[i], static_cast<int>(i) - 1));
    result.notes = reader.finish();
    return result;
}

}  // namespace assay::questions

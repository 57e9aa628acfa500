// Record: one row of GPQA's CSV, before a protocol cleans its texts and orders its choices.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::questions {

// A cell of the file. Harnesses differ over which cells have no value (see gpqa_file.hpp): some ask such a cell as a blank, some
// as it is written.
class Cell {
public:
    Cell() = default;  // of a column that the file lacks: no value, nothing written
    Cell(std::nullopt_t) {}
    Cell(std::string value) : written_(std::move(value)), has_value_(true) {}
    Cell(const char* value) : Cell(std::string(value)) {}
    [[nodiscard]] static Cell without_value(std::string written) {
        Cell cell;
        cell.written_ = std::move(written);
        return cell;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return has_value_; }
    [[nodiscard]] const std::string& operator*() const noexcept { return written_; }
    [[nodiscard]] std::string value_or(std::string other) const { return has_value_ ? written_ : std::move(other); }
    [[nodiscard]] const std::string& written() const noexcept { return written_; }  // the bytes in the file, value or not
    // The same value; two cells without one are equal, whatever is written in them.
    friend bool operator==(const Cell& a, const Cell& b) noexcept {
        return a.has_value_ == b.has_value_ && (!a.has_value_ || a.written_ == b.written_);
    }

private:
    std::string written_;
    bool has_value_ = false;
};

struct Record {
    int row = 0;   // 0-based data row
    int line = 0;  // 1-based line of the file on which the row begins
    std::string question;
    Cell correct;
    std::vector<Cell> incorrect;  // "Incorrect Answer 1..3", in the file's order
    Cell explanation;
    Cell subdomain;
    Cell difficulty;
    Cell domain;
    Cell record_id;
};

}  // namespace assay::questions

// Record: one row of GPQA's CSV, before a protocol cleans its texts and orders its choices.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::questions {

// An absent text is a cell without a value (see gpqa_file.hpp), which is not the same as an empty one.
using Cell = std::optional<std::string>;

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

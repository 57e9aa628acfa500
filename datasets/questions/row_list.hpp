// RowList: the rows of a file to which something applies, for one note or message.
#pragma once

#include <string>
#include <vector>

namespace assay::questions {

class RowList {
public:
    // row: 0-based data row; line: 1-based line of the file. Rows come in order; one that was just added is not added again.
    void add(int row, int line);
    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
    // "row 90 (line 3112), row 127 (line 4402)", rows counted from 1; of more than `most`, the first and "and 7 more".
    [[nodiscard]] std::string text(std::size_t most = 10) const;

private:
    struct Place {
        int row;
        int line;
    };
    std::vector<Place> rows_;
};

// "row 90 (line 3112)" of a 0-based row.
[[nodiscard]] std::string row_place(int row, int line);

}  // namespace assay::questions

#include "datasets/questions/row_list.hpp"

#include <fmt/format.h>

namespace assay::questions {

std::string row_place(int row, int line) { return fmt::format("row {} (line {})", row + 1, line); }

void RowList::add(int row, int line) {
    if (rows_.empty() || rows_.back().row != row) rows_.push_back({row, line});
}

std::string RowList::text(std::size_t most) const {
    std::string out;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (i == most) return out + fmt::format(" and {} more", rows_.size() - most);
        if (i > 0) out += ", ";
        out += row_place(rows_[i].row, rows_[i].line);
    }
    return out;
}

}  // namespace assay::questions

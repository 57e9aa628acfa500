// Table: aligned columns of text and numbers that stay readable in a narrow window.
//
//   seed    score    correct  truncated        Where the window is too narrow, columns of text are cut to no
//      0  95.96 %  190 / 198          0        less than 8; where that is not enough, each row becomes a block
//      1  93.43 %  185 / 198          2        of "name  value" lines, so that nothing is left out.
#pragma once

#include <string>
#include <vector>

#include "reports/terminal/style.hpp"

namespace assay::reports {

enum class Align { left, right };

class Table {
public:
    // Text columns are left-aligned, numbers right-aligned.
    Table& column(std::string header, Align align = Align::right);

    // One cell a column, in their order. Cells are made visible() here. `tint` colours the whole row.
    void row(std::vector<std::string> cells, Tint tint = Tint::plain);

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    // Every line ended by LF, preceded by `indent` spaces, at most look.width columns wide. Without rows: nothing.
    [[nodiscard]] std::string text(const Look& look, int indent = 0) const;

private:
    struct Column {
        std::string header;
        Align align;
    };
    struct Row {
        std::vector<std::string> cells;
        Tint tint;
    };

    [[nodiscard]] std::vector<int> natural_widths() const;
    [[nodiscard]] std::string aligned(const std::vector<int>& widths, const Look& look, int indent) const;
    [[nodiscard]] std::string stacked(const Look& look, int indent) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace assay::reports

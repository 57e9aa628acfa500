// Table: aligned columns of text and numbers that stay readable in a narrow window.
//
//   seed    score    correct  truncated        Where the window is too narrow, texts are cut to no less than 12
//      0  95.96 %  190 / 198          0        columns; where that is not enough, the table is split into several,
//      1  93.43 %  185 / 198          2        each with the first column, so that no column is left out; its
//                                              texts have up to two fifths of the window then.
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
    // Whether all of it can be shown as one table, no text cut.
    [[nodiscard]] bool fits(const Look& look, int indent = 0) const;

    // For renderers other than the terminal's. Texts are visible().
    struct Column {
        std::string header;
        Align align;
    };
    struct Row {
        std::vector<std::string> cells;
        Tint tint;
    };
    [[nodiscard]] const std::vector<Column>& columns() const noexcept { return columns_; }
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }

    // Every line ended by LF, preceded by `indent` spaces, at most look.width columns wide as long as the first
    // column, cut to 12, fits beside each of the others. Without rows: nothing.
    [[nodiscard]] std::string text(const Look& look, int indent = 0) const;

private:
    [[nodiscard]] std::vector<int> natural_widths() const;
    [[nodiscard]] int cut_texts(std::vector<int>& widths, int excess) const;
    void cut_for_split(std::vector<int>& widths, int room) const;
    [[nodiscard]] std::string part(const std::vector<std::size_t>& shown, const std::vector<int>& widths,
                                   const Look& look, int indent) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace assay::reports

#include "reports/terminal/table.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "reports/terminal/visible.hpp"
#include "reports/terminal/width.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

constexpr int gap = 2;
constexpr int least_text_width = 8;

int total_width(const std::vector<int>& widths) {
    const int gaps = gap * (static_cast<int>(widths.size()) - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps);
}

}  // namespace

Table& Table::column(std::string header, Align align) {
    assert(rows_.empty());
    columns_.push_back({std::move(header), align});
    return *this;
}

void Table::row(std::vector<std::string> cells, Tint tint) {
    assert(cells.size() == columns_.size());
    for (std::string& cell : cells) cell = visible(cell);
    rows_.push_back({std::move(cells), tint});
}

std::vector<int> Table::natural_widths() const {
    std::vector<int> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        int width = display_width(columns_[i].header);
        for (const Row& row : rows_) width = std::max(width, display_width(row.cells[i]));
        widths.push_back(width);
    }
    return widths;
}

std::string Table::text(const Look& look, int indent) const {
    if (rows_.empty()) return "";
    std::vector<int> widths = natural_widths();
    if (look.width > 0) {
        int excess = indent + total_width(widths) - look.width;
        for (std::size_t i = 0; i < widths.size() && excess > 0; ++i) {
            if (columns_[i].align != Align::left) continue;
            const int cut = std::clamp(widths[i] - least_text_width, 0, excess);
            widths[i] -= cut;
            excess -= cut;
        }
        if (excess > 0) return stacked(look, indent);
    }
    return aligned(widths, look, indent);
}

std::string Table::aligned(const std::vector<int>& widths, const Look& look, int indent) const {
    const auto line = [&](auto&& cell_at, Tint tint) {
        std::string text;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) text.append(gap, ' ');
            const std::string cell = cut_to_width(cell_at(i), widths[i]);
            text += columns_[i].align == Align::right ? padded_left(cell, widths[i]) : padded_right(cell, widths[i]);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return std::string(static_cast<std::size_t>(indent), ' ') + tinted(text, tint, look) + "\n";
    };
    std::string out = line([&](std::size_t i) -> const std::string& { return columns_[i].header; }, Tint::dim);
    for (const Row& row : rows_) out += line([&](std::size_t i) -> const std::string& { return row.cells[i]; }, row.tint);
    return out;
}

std::string Table::stacked(const Look& look, int indent) const {
    int name_width = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i)
        name_width = std::max(name_width, display_width(columns_[i].header) + (i == 0 ? 0 : gap));
    std::string out;
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            // The first column names the row; the rest stands under it.
            const int shift = indent + (i == 0 ? 0 : gap);
            const std::string name = std::string(static_cast<std::size_t>(shift), ' ') +
                                     padded_right(columns_[i].header, name_width - (i == 0 ? 0 : gap)) + "  ";
            out += wrapped(name, row.cells[i], look.width, shift + gap);
        }
    }
    return out;
}

}  // namespace assay::reports

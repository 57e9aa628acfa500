#include "reports/terminal/table.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "reports/terminal/visible.hpp"
#include "reports/terminal/width.hpp"

namespace assay::reports {
namespace {

constexpr int gap = 2;
constexpr int least_text_width = 12;

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

// Takes columns away from texts, leftmost first; returns what is still in excess.
int Table::cut_texts(std::vector<int>& widths, int excess) const {
    for (std::size_t i = 0; i < widths.size() && excess > 0; ++i) {
        if (columns_[i].align != Align::left) continue;
        const int cut = std::clamp(widths[i] - least_text_width, 0, excess);
        widths[i] -= cut;
        excess -= cut;
    }
    return excess;
}

// Of a table that has to be split, which repeats its first column: that has up to two fifths of the room, and every other
// fits beside it.
void Table::cut_for_split(std::vector<int>& widths, int room) const {
    const auto cut = [&](std::size_t i, int most) {
        if (columns_[i].align == Align::left) widths[i] = std::min(widths[i], std::max(least_text_width, most));
    };
    cut(0, 2 * room / 5);
    for (std::size_t i = 1; i < widths.size(); ++i) cut(i, room - gap - widths[0]);
    if (widths.size() > 1) cut(0, room - gap - *std::max_element(widths.begin() + 1, widths.end()));
}

bool Table::fits(const Look& look, int indent) const {
    return look.width == 0 || indent + total_width(natural_widths()) <= look.width;
}

std::string Table::text(const Look& look, int indent) const {
    if (rows_.empty()) return "";
    std::vector<int> widths = natural_widths();
    std::vector<std::size_t> all(columns_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (look.width == 0 || cut_texts(widths, indent + total_width(widths) - look.width) <= 0)
        return part(all, widths, look, indent);

    widths = natural_widths();
    cut_for_split(widths, look.width - indent);
    std::string out;
    for (std::size_t next = 1; next < columns_.size();) {
        std::vector<std::size_t> shown{0};
        int used = indent + widths[0];
        do {
            used += gap + widths[next];
            shown.push_back(next++);
        } while (next < columns_.size() && used + gap + widths[next] <= look.width);
        if (!out.empty()) out += "\n";
        out += part(shown, widths, look, indent);
    }
    return out;
}

std::string Table::part(const std::vector<std::size_t>& shown, const std::vector<int>& widths, const Look& look,
                        int indent) const {
    const auto line = [&](auto&& cell_at, Tint tint) {
        std::string text;
        for (const std::size_t i : shown) {
            if (i != shown.front()) text.append(gap, ' ');
            const std::string cell = cut_to_width(cell_at(i), widths[i]);
            text += columns_[i].align == Align::right ? padded_left(cell, widths[i]) : padded_right(cell, widths[i]);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return std::string(static_cast<std::size_t>(indent), ' ') + tinted(text, tint, look) + "\n";
    };
    std::string out = line([&](std::size_t i) -> const std::string& { return columns_[i].header; }, Tint::dim);
    for (const Row& row : rows_)
        out += line([&](std::size_t i) -> const std::string& { return row.cells[i]; }, row.tint);
    return out;
}

}  // namespace assay::reports

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/charts.hpp"
#include "reports/html/escape.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

constexpr std::size_t questions_a_band = 66;
constexpr int pitch = 12;  // of cells, in SVG units; a cell is 10 wide
constexpr int left = 34;
constexpr int top = 16;
constexpr std::size_t label_every = 10;

// One SVG path a kind of cell keeps the page small: 16 bytes a cell instead of an element.
struct Paths {
    std::string right, wrong, truncated, no_answer, unscored, missing;
};

std::string square(int x, int y, int inset) {
    const int side = 10 - 2 * inset;
    return fmt::format("M{} {}h{}v{}h-{}z", x + inset, y + inset, side, side, side);
}

std::string truncation_mark(int x, int y) {
    return fmt::format("M{} {}v7h-7z", x + 10, y + 3);
}

void add_cell(Paths& paths, const statistics::Cell& cell, int x, int y) {
    using statistics::CellState;
    if (cell.state == CellState::missing) {
        paths.missing += square(x, y, 4);
        return;
    }
    if (cell.state == CellState::unscored) {
        paths.unscored += square(x, y, 1);
        return;
    }
    (cell.correct ? paths.right : paths.wrong) += square(x, y, 0);
    if (cell.state == CellState::truncated) {
        paths.truncated += truncation_mark(x, y);
    } else if (cell.no_answer()) {
        paths.no_answer += square(x, y, 3);
    }
}

std::string tooltip(const statistics::SeedTable& table, std::size_t row, const std::vector<std::string>& record_ids) {
    int right = 0;
    int scored = 0;
    for (std::size_t column = 0; column < table.columns(); ++column) {
        right += table.cell(row, column).correct ? 1 : 0;
        scored += table.cell(row, column).scored() ? 1 : 0;
    }
    std::string name = fmt::format("question {}", table.questions[row]);
    if (row < record_ids.size() && !record_ids[row].empty()) name += ", record " + visible(record_ids[row]);
    return html_escaped(fmt::format("{}: right in {} of {}", name, right, counted(scored, "scored seed")));
}

std::string path(const char* kind, const std::string& points) {
    return points.empty() ? "" : fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, points);
}

std::string band(const statistics::SeedTable& table, const std::vector<std::string>& record_ids, std::size_t first,
                 std::size_t last) {
    const int rows = static_cast<int>(table.columns());
    const int width = left + pitch * static_cast<int>(std::min(questions_a_band, table.rows()));
    Paths paths;
    std::string labels;
    std::string tips;
    for (std::size_t question = first; question < last; ++question) {
        const int x = left + pitch * static_cast<int>(question - first);
        if ((question - first) % label_every == 0)
            labels += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, top - 5, table.questions[question]);
        for (int row = 0; row < rows; ++row)
            add_cell(paths, table.cell(question, static_cast<std::size_t>(row)), x, top + pitch * row);
        tips +=
            fmt::format("<rect class=\"tip\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
                        x - 1, top - 1, pitch, pitch * rows, tooltip(table, question, record_ids));
    }
    for (int row = 0; row < rows; ++row)
        labels += fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>\n", left - 6, top + pitch * row + 9,
                              table.seeds[static_cast<std::size_t>(row)]);
    return fmt::format(
               "<svg class=\"band\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"questions {} to {} by seeds\">\n",
               width, top + pitch * rows + 2, table.questions[first], table.questions[last - 1]) +
           labels + path("right", paths.right) + path("wrong", paths.wrong) + path("mark", paths.truncated) +
           path("mark", paths.no_answer) + path("unscored", paths.unscored) + path("missing", paths.missing) + tips +
           "</svg>\n";
}

std::string key(const char* kind, const std::string& shape, const std::string& mark, const char* text) {
    const std::string overlay = mark.empty() ? "" : fmt::format("<path class=\"mark\" d=\"{}\"/>", mark);
    return fmt::format(
        "<li><svg viewBox=\"0 0 10 10\" width=\"12\" height=\"12\" aria-hidden=\"true\"><path class=\"{}\" "
        "d=\"{}\"/>{}</svg> {}</li>\n",
        kind, shape, overlay, text);
}

std::string legend() {
    return "<ul class=\"legend\">\n" + key("right", square(0, 0, 0), "", "right") +
           key("wrong", square(0, 0, 0), "", "wrong") +
           key("wrong", square(0, 0, 0), truncation_mark(0, 0), "truncated") +
           key("wrong", square(0, 0, 0), square(0, 0, 3), "no answer") +
           key("unscored", square(0, 0, 1), "", "unscored") + key("missing", square(0, 0, 4), "", "not tried") +
           "</ul>\n";
}

}  // namespace

std::string heat_map(const statistics::SeedTable& table, const std::vector<std::string>& record_ids) {
    if (table.rows() == 0 || table.columns() == 0) return "";
    std::string out = legend();
    for (std::size_t first = 0; first < table.rows(); first += questions_a_band)
        out += band(table, record_ids, first, std::min(first + questions_a_band, table.rows()));
    return out;
}

}  // namespace assay::reports

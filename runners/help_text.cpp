#include "runners/help_text.hpp"

#include <algorithm>

#include "reports/terminal/wrap.hpp"

namespace assay::runners {
namespace {

constexpr int wide_column = 34;
constexpr int narrow_column = 8;
constexpr int least_wide = 78;  // columns of a terminal that has room for both

// Calls line(text) for each line, without its LF.
template <class Line>
void for_each_line(std::string_view text, const Line& line) {
    for (;;) {
        const auto end = text.find('\n');
        line(text.substr(0, end));
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

std::string without_last_line_feed(std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

// Where the second column of a line begins: behind the first two spaces that follow a word; where there is none, its first word.
int hanging_column(std::string_view line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    const std::size_t second = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
    return static_cast<int>(second == std::string_view::npos ? begin : second);
}

}  // namespace

int description_column(int width) noexcept { return width == 0 || width >= least_wide ? wide_column : narrow_column; }

std::string fitted_description(std::string_view text, int width, int column) {
    if (width == 0) return std::string(text);
    const int room = std::max(1, width - column);
    const int indent = text.find('\n') == std::string_view::npos ? 0 : 2;
    std::string out;
    for_each_line(text, [&](std::string_view line) { out += reports::wrapped("", line, room, indent); });
    return without_last_line_feed(std::move(out));
}

std::string fitted_footer(std::string_view text, int width) {
    if (width == 0) return std::string(text);
    std::string out;
    bool command = false;
    for_each_line(text, [&](std::string_view line) {
        command = line.starts_with("  assay ") || (command && out.ends_with("\\\n"));
        out += command ? std::string(line) + "\n" : reports::wrapped("", line, width, hanging_column(line));
    });
    return without_last_line_feed(std::move(out));
}

}  // namespace assay::runners

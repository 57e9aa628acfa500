#include "reports/terminal/wrap.hpp"

#include <algorithm>

#include "reports/terminal/width.hpp"

namespace assay::reports {
namespace {

constexpr int least_room = 16;

// Where a word that begins at `word` and ends at `end` is to end so that it fits into `room`: behind a comma, or not at all.
std::size_t end_that_fits(std::string_view text, std::size_t word, std::size_t end, int room) {
    if (display_width(text.substr(word, end - word)) <= room) return end;
    std::size_t best = end;
    for (std::size_t comma = text.find(',', word); comma < end - 1; comma = text.find(',', comma + 1)) {
        if (best != end && display_width(text.substr(word, comma + 1 - word)) > room) break;
        best = comma + 1;
    }
    return best;
}

}  // namespace

std::string wrapped(std::string_view first, std::string_view text, int width, int indent) {
    std::string out;
    std::string line(first);
    if (width > 0) indent = std::clamp(indent, 0, std::max(0, width - least_room));
    bool line_has_word = !first.empty();

    for (std::size_t at = 0; at < text.size();) {
        const std::size_t word = std::min(text.find_first_not_of(' ', at), text.size());
        std::size_t end = std::min(text.find(' ', word), text.size());
        if (width > 0) end = end_that_fits(text, word, end, width - indent);
        const std::string_view gap = text.substr(at, word - at);
        const std::string_view piece = text.substr(word, end - word);
        at = end;
        if (piece.empty()) break;
        const bool fits = width == 0 || display_width(line) + display_width(gap) + display_width(piece) <= width;
        if (line_has_word && !fits) {
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
            line.assign(static_cast<std::size_t>(indent), ' ');
        } else {
            line += gap;
        }
        line += piece;
        line_has_word = true;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return out + line + "\n";
}

}  // namespace assay::reports

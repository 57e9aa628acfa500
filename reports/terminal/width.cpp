#include "reports/terminal/width.hpp"

#include <algorithm>
#include <iterator>

#include "harness/files/utf8.hpp"
#include "reports/terminal/width_ranges.hpp"

namespace assay::reports {
namespace {

template <std::size_t Count>
bool in_ranges(const Range (&ranges)[Count], char32_t c) noexcept {
    const auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                         [](char32_t value, const Range& range) { return value < range.first; });
    return after != std::begin(ranges) && c <= std::prev(after)->last;
}

int width_of(char32_t c) noexcept {
    if (c < zero_width[0].first) return 1;
    if (in_ranges(zero_width, c)) return 0;
    return in_ranges(wide, c) ? 2 : 1;
}

// Bytes of the longest beginning that takes at most `width` columns.
std::size_t bytes_within(std::string_view text, int width) noexcept {
    int used = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t next = at;
        used += width_of(files::next_code_point(text, next));
        if (used > width) break;
        at = next;
    }
    return at;
}

}  // namespace

int display_width(std::string_view text) noexcept {
    int width = 0;
    for (std::size_t at = 0; at < text.size();) width += width_of(files::next_code_point(text, at));
    return width;
}

std::string cut_to_width(std::string_view text, int width) {
    width = std::max(width, 0);
    if (bytes_within(text, width) == text.size()) return std::string(text);
    const int dots = std::min(width, 3);
    return std::string(text.substr(0, bytes_within(text, width - dots))) +
           std::string(static_cast<std::size_t>(dots), '.');
}

std::string padded_right(std::string_view text, int width) {
    const int missing = std::max(0, width - display_width(text));
    return std::string(text) + std::string(static_cast<std::size_t>(missing), ' ');
}

std::string padded_left(std::string_view text, int width) {
    const int missing = std::max(0, width - display_width(text));
    return std::string(static_cast<std::size_t>(missing), ' ') + std::string(text);
}

}  // namespace assay::reports

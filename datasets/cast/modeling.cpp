#include "datasets/cast/modeling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace assay::cast {
namespace {

constexpr std::string_view before = "self.A_log = torch.nn.Parameter(torch.log(torch.empty(";
constexpr std::string_view heads = "self.num_heads";
constexpr std::string_view after = ", dtype=torch.float32).uniform_(1, 16)))";
constexpr std::string_view dimensions = "self.head_dim";

// Where the number of heads stands in the known form; npos where it is not there, or another form, or more than once.
std::size_t place_of_heads(std::string_view text) {
    constexpr std::size_t none = std::string_view::npos;
    const std::size_t start = text.find(before);
    if (start == none || text.find(before, start + 1) != none) return none;
    const std::size_t place = text.find_first_not_of(" \t\r\n", start + before.size());
    if (place == none || !text.substr(place).starts_with(heads)) return none;
    const std::string_view rest = text.substr(place + heads.size());
    if (!rest.starts_with(after)) return none;
    const std::string_view end = rest.substr(after.size());
    return end.empty() || end.front() == '\n' || end.front() == '\r' ? place : none;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string with_newline(std::string_view line) { return std::string(line) + (line.ends_with('\n') ? "" : "\n"); }

std::string diff_of(std::string_view old_text, std::string_view new_text, std::size_t line) {
    constexpr std::size_t context = 3;
    const auto old_lines = lines_of(old_text);
    const auto new_lines = lines_of(new_text);
    const std::size_t first = line - std::min(context, line);
    const std::size_t last = std::min(line + context, old_lines.size() - 1);
    std::string diff = fmt::format("--- a/{}\n+++ b/{}\n@@ -{},{} +{},{} @@\n", modeling_file, modeling_file, first + 1,
                                   last - first + 1, first + 1, last - first + 1);
    for (std::size_t i = first; i <= last; ++i) {
        if (i == line) {
            diff += "-" + with_newline(old_lines[i]) + "+" + with_newline(new_lines[i]);
        } else {
            diff += " " + with_newline(old_lines[i]);
        }
    }
    return diff;
}

}  // namespace

std::optional<ModelingFix> fix_a_log(std::string_view text) {
    const std::size_t place = place_of_heads(text);
    if (place == std::string_view::npos || text.find(dimensions) == std::string_view::npos) return std::nullopt;
    ModelingFix fix;
    fix.text = std::string(text.substr(0, place)) + std::string(dimensions) + std::string(text.substr(place + heads.size()));
    const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(place), '\n'));
    fix.diff = diff_of(text, fix.text, line);
    return fix;
}

}  // namespace assay::cast

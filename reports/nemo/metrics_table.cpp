#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/files/utf8.hpp"
#include "reports/nemo/nemo_metrics.hpp"

namespace assay::reports {
namespace {

using Cells = std::vector<std::string>;

// Python's len: code points.
std::size_t length(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) (void)files::next_code_point(text, at);
    return count;
}

// str.center(width, "-"): of an odd padding the larger part goes left where the width is odd too, else right.
std::string centred(const std::string& text, std::size_t width) {
    const std::size_t taken = length(text);
    if (taken >= width) return text;
    const std::size_t padding = width - taken;
    const std::size_t left = padding / 2 + (padding & width & 1);
    return std::string(left, '-') + text + std::string(padding - left, '-');
}

// The modes of the largest k, in the order in which they are printed.
std::vector<const NemoMode*> printed(const NemoGroup& group) {
    std::size_t runs = 0;
    for (const NemoMode& mode : group.modes) runs += mode.name.starts_with("pass@1[") ? 1 : 0;
    runs += 1;
    std::vector<const NemoMode*> out;
    for (const std::string& name :
         {fmt::format("pass@1[avg-of-{}]", runs), fmt::format("majority@{}", runs), fmt::format("pass@{}", runs)}) {
        for (const NemoMode& mode : group.modes)
            if (mode.name == name) out.push_back(&mode);
    }
    return out;
}

std::string score(const NemoMode& mode) {
    for (const auto& [name, statistics] : mode.statistics) {
        if (name == "symbolic_correct")
            return fmt::format("{:.2f}% \u00B1 {:.2f}%", mode.symbolic_correct, 100.0 * statistics.std_dev_across_runs);
    }
    return fmt::format("{:.2f}%", mode.symbolic_correct);
}

Cells cells(const NemoMode& mode) {
    Cells out{mode.name, std::to_string(mode.entries)};
    if (mode.avg_tokens) out.push_back(std::to_string(*mode.avg_tokens));
    if (mode.gen_seconds) out.push_back(std::to_string(*mode.gen_seconds));
    out.push_back(score(mode));
    out.push_back(fmt::format("{:.2f}%", mode.no_answer));
    return out;
}

Cells headers(const NemoMode& mode) {
    Cells out{"evaluation_mode", "num_entries"};
    if (mode.avg_tokens) out.emplace_back("avg_tokens");
    if (mode.gen_seconds) out.emplace_back("gen_seconds");
    out.emplace_back("symbolic_correct");
    out.emplace_back("no_answer");
    return out;
}

std::string table(const NemoGroup& group) {
    const std::vector<const NemoMode*> modes = printed(group);
    std::vector<Cells> lines{headers(*modes.front())};
    for (const NemoMode* mode : modes) lines.push_back(cells(*mode));

    std::vector<std::size_t> widths(lines.front().size());
    for (const Cells& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], length(line[i]));
    std::size_t total = (widths.size() - 1) * 3;
    for (const std::size_t width : widths) total += width;

    std::string out = centred(" " + group.name + " ", total) + "\n";
    for (const Cells& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i > 0) out += " | ";
            out += line[i] + std::string(widths[i] - length(line[i]), ' ');
        }
        out += "\n";
    }
    return out + "\n\n";
}

}  // namespace

std::string nemo_metrics_table(const std::vector<NemoGroup>& groups) {
    std::string out;
    for (const NemoGroup& group : groups)
        if (!group.modes.empty()) out += table(group);
    return out;
}

}  // namespace assay::reports

#include "datasets/checkpoints/name_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace assay::checkpoints {

FoldedName fold_numbers(std::string_view name) {
    FoldedName folded;
    folded.key.reserve(name.size());
    while (true) {
        const auto dot = name.find('.');
        const std::string_view piece = name.substr(0, dot);
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), number);
        if (!piece.empty() && error == std::errc{} && end == piece.data() + piece.size()) {
            folded.key += '*';
            folded.numbers.push_back(number);
        } else {
            folded.key += piece;
        }
        if (dot == std::string_view::npos) return folded;
        folded.key += '.';
        name.remove_prefix(dot + 1);
    }
}

std::string unfold_numbers(const std::string& key, const std::vector<NumberSpan>& spans) {
    std::string pattern;
    std::size_t next = 0;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const bool alone = key[i] == '*' && (i == 0 || key[i - 1] == '.') && (i + 1 == key.size() || key[i + 1] == '.');
        if (!alone || next == spans.size()) {
            pattern += key[i];
            continue;
        }
        const NumberSpan& span = spans[next++];
        pattern += span.low == span.high ? fmt::format("{}", span.low) : fmt::format("{{{}..{}}}", span.low, span.high);
    }
    return pattern;
}

std::vector<NamePattern> fold_names(const std::vector<std::string_view>& names) {
    struct Entry {
        std::vector<NumberSpan> spans;
        NamePattern pattern;
    };
    std::map<std::string, Entry> entries;
    for (const std::string_view name : names) {
        FoldedName folded = fold_numbers(name);
        const auto [place, added] = entries.try_emplace(std::move(folded.key));
        Entry& entry = place->second;
        if (added) entry.pattern.first = name;
        ++entry.pattern.count;
        entry.spans.resize(folded.numbers.size(), {~std::uint64_t{0}, 0});
        for (std::size_t i = 0; i < folded.numbers.size(); ++i) {
            entry.spans[i].low = std::min(entry.spans[i].low, folded.numbers[i]);
            entry.spans[i].high = std::max(entry.spans[i].high, folded.numbers[i]);
        }
    }
    std::vector<NamePattern> patterns;
    for (auto& [key, entry] : entries) {
        entry.pattern.pattern = unfold_numbers(key, entry.spans);
        patterns.push_back(std::move(entry.pattern));
    }
    return patterns;
}

}  // namespace assay::checkpoints

#include "datasets/runs/nemo_blocks.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>

#include "harness/error.hpp"

namespace assay::runs {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;

struct Files {
    std::map<int, std::string> by_seed;  // seed -> file name
    std::vector<std::string> notes;
};

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The seed of "output-rs<seed>.jsonl", or nothing.
std::optional<int> seed_of(std::string_view name) {
    constexpr std::string_view before = "output-rs";
    constexpr std::string_view after = ".jsonl";
    if (name.substr(0, before.size()) != before || !ends_with(name, after)) return std::nullopt;
    const std::string_view digits = name.substr(before.size(), name.size() - before.size() - after.size());
    int seed = 0;
    const char* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, seed);
    const bool plain = !digits.empty() && digits.front() != '-' && (digits == "0" || digits.front() != '0');
    return plain && result.ec == std::errc() && result.ptr == end ? std::optional(seed) : std::nullopt;
}

Files files_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        names.push_back(at->path().filename().string());
    }
    if (error) throw Error(fmt::format("cannot read the folder '{}': {}", folder, error.message()));
    std::sort(names.begin(), names.end());  // folders have no order of their own

    Files files;
    bool single = false;
    for (const std::string& name : names) {
        if (const auto seed = seed_of(name)) {
            files.by_seed[*seed] = name;
        } else if (name == "output.jsonl") {
            single = true;
        } else if (ends_with(name, "-async")) {
            files.notes.push_back(fmt::format("{}/{} is of a generation that did not end; it is not read", folder, name));
        } else if (ends_with(name, ".jsonl")) {
            const bool chunk = name.find("_chunk_") != std::string::npos;
            files.notes.push_back(fmt::format("{}/{} {}; it is not read", folder, name,
                                              chunk ? "is a part of another file" : "is no output-rs<seed>.jsonl"));
        }
    }
    if (single && !files.by_seed.empty()) {
        throw Error(fmt::format("'{}' holds both output.jsonl and output-rs*.jsonl, of different runs: move one away", folder));
    }
    if (single) files.by_seed[0] = "output.jsonl";
    if (files.by_seed.empty()) {
        throw Error(fmt::format("there are no results in '{}': expected output-rs<seed>.jsonl or output.jsonl", folder));
    }
    return files;
}

// By memchr, which std::count does not use: replies are long.
int line_feeds(std::string_view text) {
    int count = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++count;
    return count;
}

// Gives the number of rows.
int read_file(NemoBlock place, const std::function<void(NemoBlock)>& visit) {
    std::ifstream file(place.path, std::ios::binary);
    if (!file) throw Error(fmt::format("cannot open '{}': {}", place.path, std::generic_category().message(errno)));
    std::string rest;  // the begin of a line whose end was not read yet
    const auto give = [&](std::string lines) {
        const int rows = line_feeds(lines) + (place.cut_short ? 1 : 0);
        lines.reserve(lines.size() + simdjson::SIMDJSON_PADDING);
        NemoBlock block = place;
        block.lines = std::move(lines);
        visit(std::move(block));
        place.first_row += rows;
    };
    for (bool more = true; more;) {
        std::string lines = std::move(rest);
        rest.clear();
        const std::size_t had = lines.size();
        lines.reserve(had + block_bytes + simdjson::SIMDJSON_PADDING);
        lines.resize(had + block_bytes);
        file.read(lines.data() + had, static_cast<std::streamsize>(block_bytes));
        if (file.bad()) throw Error(fmt::format("cannot read '{}' after line {}", place.path, place.first_row));
        lines.resize(had + static_cast<std::size_t>(file.gcount()));
        more = !file.eof();
        const void* const last = memrchr(lines.data() + had, '\n', lines.size() - had);
        if (last == nullptr) {
            rest = std::move(lines);
            continue;
        }
        const std::size_t whole = static_cast<std::size_t>(static_cast<const char*>(last) - lines.data()) + 1;
        rest.assign(lines, whole);
        lines.resize(whole);
        give(std::move(lines));
    }
    if (!rest.empty()) {
        place.cut_short = true;
        give(std::move(rest));
    }
    return place.first_row;
}

}  // namespace

NemoContents read_nemo_blocks(const std::string& folder, const std::function<void(NemoBlock)>& visit) {
    Files files = files_in(folder);
    NemoContents contents;
    contents.notes = std::move(files.notes);
    const std::string& first = files.by_seed.begin()->second;
    for (const auto& [seed, name] : files.by_seed) {
        NemoBlock place;
        place.path = folder + "/" + name;
        place.seed = seed;
        place.first_file = contents.seeds.empty();
        const int rows = read_file(std::move(place), visit);
        if (contents.seeds.empty()) contents.rows = rows;
        if (rows != contents.rows) {
            throw Error(fmt::format("'{}/{}' ends after line {}, where {} has {} lines: is its generation still going on?",
                                    folder, rows < contents.rows ? name : first, std::min(rows, contents.rows),
                                    rows < contents.rows ? first : name, std::max(rows, contents.rows)));
        }
        contents.seeds.push_back(seed);
    }
    if (contents.rows == 0) throw Error(fmt::format("'{}/{}' is empty: expected a row a question", folder, first));
    return contents;
}

void for_each_line(const NemoBlock& block, const std::function<void(std::string_view line, int row)>& visit) {
    const std::string_view lines = block.lines;
    int row = block.first_row;
    for (std::size_t at = 0; at < lines.size(); ++row) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        visit(lines.substr(at, end - at), row);
        at = end + 1;
    }
}

std::string error_text(const NemoBlock& block, int row, const std::string& wrong) {
    const bool last = block.cut_short && row == block.first_row + line_feeds(block.lines);
    return fmt::format("'{}', line {}: {}{}", block.path, row + 1, wrong, last ? "; the file ends here, and may have been cut short" : "");
}

}  // namespace assay::runs

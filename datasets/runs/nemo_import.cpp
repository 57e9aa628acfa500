#include "datasets/runs/nemo_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <system_error>

#include "datasets/runs/nemo_row_parser.hpp"
#include "harness/error.hpp"

namespace assay::runs {
namespace {

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

// What tells one question from another; 0 where the row does not say.
std::size_t identity_of(const NemoRow& row) {
    if (!row.problem && !row.expected_answer) return 0;
    return std::hash<std::string>()(row.problem.value_or("") + '\0' + row.expected_answer.value_or("")) | 1U;
}

class Reading {
public:
    Reading(std::string folder, const std::function<void(NemoRow)>& visit) : folder_(std::move(folder)), visit_(visit) {}

    // Gives the number of rows.
    int read(int seed, const std::string& name) {
        const std::string path = folder_ + "/" + name;
        std::ifstream file(path, std::ios::binary);
        if (!file) throw Error(fmt::format("cannot open '{}': {}", path, std::generic_category().message(errno)));
        int number = 0;
        for (std::string line; std::getline(file, line); ++number) {
            NemoRow row;
            if (const std::string wrong = parser_.parse(line, row); !wrong.empty()) {
                throw Error(fmt::format("'{}', line {}: {}{}", path, number + 1, wrong,
                                        file.eof() ? "; the file ends here, and may have been cut short" : ""));
            }
            row.attempt.key = {seed, number};
            check_same_question(row, path, number);
            visit_(std::move(row));
        }
        if (file.bad()) throw Error(fmt::format("cannot read '{}' after line {}", path, number));
        return number;
    }

private:
    void check_same_question(const NemoRow& row, const std::string& path, int number) {
        const std::size_t identity = identity_of(row);
        const auto place = static_cast<std::size_t>(number);
        if (place >= identities_.size()) identities_.resize(place + 1, 0);
        if (identities_[place] == 0) identities_[place] = identity;
        if (identity == 0 || identities_[place] == identity) return;
        throw Error(fmt::format("'{}', line {}: its problem or expected_answer is not the one in the same line of the "
                                "other files: they are not of one run",
                                path, number + 1));
    }

    std::string folder_;
    const std::function<void(NemoRow)>& visit_;
    NemoRowParser parser_;
    std::vector<std::size_t> identities_;
};

}  // namespace

NemoContents read_nemo_results(const std::string& folder, const std::function<void(NemoRow)>& visit) {
    Files files = files_in(folder);
    NemoContents contents;
    contents.notes = std::move(files.notes);
    Reading reading(folder, visit);
    const std::string& first = files.by_seed.begin()->second;
    for (const auto& [seed, name] : files.by_seed) {
        const int rows = reading.read(seed, name);
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

}  // namespace assay::runs

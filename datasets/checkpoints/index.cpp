#include "datasets/checkpoints/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

using Json = nlohmann::json;

// One pass; the document of Kimi-K3 has half a million entries, which a tree would hold twice.
class IndexEvents final : public nlohmann::json_sax<Json> {
public:
    explicit IndexEvents(Index& index) : index_(index) {}

    bool key(string_t& text) override {
        if (depth_ == 1) begin_top(text);
        if (depth_ == 2) inner_ = std::move(text);
        return true;
    }
    bool start_object(std::size_t) override {
        if (depth_ == 1 && top_ == "weight_map") has_map = true;
        if (depth_ == 2 && top_ == "weight_map") wrong("an object");
        ++depth_;
        return true;
    }
    bool end_object() override { return --depth_, true; }
    bool start_array(std::size_t) override {
        wrong("an array");
        ++depth_;
        return true;
    }
    bool end_array() override { return --depth_, true; }
    bool string(string_t& text) override {
        if (depth_ == 2 && top_ == "weight_map") {
            // A copy: the parser's own string has grown by doubling, and there may be a million of them.
            index_.entries.push_back({inner_, file_number(text)});
        } else {
            wrong("text");
        }
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (depth_ == 2 && top_ == "metadata" && inner_ == "total_size") {
            if (index_.total_size) index_.faults.emplace_back("metadata.total_size stands there twice");
            index_.total_size = value;
        } else {
            wrong("a number");
        }
        return true;
    }
    bool number_integer(number_integer_t) override { return wrong("a negative number"), true; }
    bool number_float(number_float_t value, const string_t& text) override {
        // Some writers print it as 1.5e12; a whole one is accepted, and said.
        if (depth_ == 2 && top_ == "metadata" && inner_ == "total_size" && value >= 0 && value < 9e15 &&
            value == static_cast<double>(static_cast<std::uint64_t>(value))) {
            index_.total_size = static_cast<std::uint64_t>(value);
        }
        return wrong("the number " + text.substr(0, 40)), true;
    }
    bool boolean(bool) override { return wrong("true or false"), true; }
    bool null() override { return wrong("null"), true; }
    bool binary(binary_t&) override { return true; }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_at = position;
        return false;
    }

    bool has_map = false;
    std::size_t error_at = 0;

private:
    void begin_top(const std::string& text) {
        top_ = text;
        bool& seen = text == "weight_map" ? map_seen_ : metadata_seen_;
        if (text != "weight_map" && text != "metadata") return;
        if (seen) index_.faults.push_back(fmt::format("{} stands there twice; readers keep the last and say nothing", text));
        seen = true;
    }
    std::uint32_t file_number(const std::string& name) {
        const auto [place, added] = numbers_.try_emplace(name, static_cast<std::uint32_t>(index_.files.size()));
        if (added) index_.files.push_back(name);
        return place->second;
    }
    void wrong(const std::string& what) {
        constexpr std::size_t most = 100;
        if (index_.faults.size() >= most) return;
        if (depth_ == 1 && (top_ == "weight_map" || top_ == "metadata"))
            index_.faults.push_back(fmt::format("{} is {}, not an object", top_, what));
        if (depth_ == 2 && top_ == "weight_map")
            index_.faults.push_back(fmt::format("weight_map gives '{}' {} instead of a file name", inner_, what));
        if (depth_ == 2 && top_ == "metadata" && inner_ == "total_size")
            index_.faults.push_back(fmt::format("metadata.total_size is {}, not a whole number", what));
    }

    Index& index_;
    int depth_ = 0;
    bool map_seen_ = false;
    bool metadata_seen_ = false;
    std::string top_;
    std::string inner_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

void sort_entries(Index& index) {
    std::stable_sort(index.entries.begin(), index.entries.end(),
                     [](const IndexEntry& a, const IndexEntry& b) { return a.tensor < b.tensor; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < index.entries.size(); ++i) {
        const bool repeated = i + 1 < index.entries.size() && index.entries[i + 1].tensor == index.entries[i].tensor;
        if (repeated) {
            index.duplicates.push_back(index.entries[i].tensor);
        } else {
            if (kept != i) index.entries[kept] = std::move(index.entries[i]);
            ++kept;
        }
    }
    index.entries.resize(kept);
}

}  // namespace

const IndexEntry* find_entry(const Index& index, std::string_view tensor) noexcept {
    const auto place =
        std::lower_bound(index.entries.begin(), index.entries.end(), tensor,
                         [](const IndexEntry& entry, std::string_view name) { return entry.tensor < name; });
    return place != index.entries.end() && place->tensor == tensor ? &*place : nullptr;
}

Index parse_index(std::string_view json, const std::string& file) {
    Index index;
    index.file = file;
    IndexEvents events(index);
    // The parser takes a zero byte for the end of its text and would not look at what follows.
    if (const std::size_t zero = json.find('\0'); zero != std::string_view::npos)
        throw Error(fmt::format("{} is not JSON: a zero byte stands at byte {}", file, zero));
    if (!Json::sax_parse(json.begin(), json.end(), &events))
        throw Error(fmt::format("{} is not JSON: it breaks at byte {}", file, events.error_at));
    if (!events.has_map)
        throw Error(fmt::format("{} has no weight_map object, which names the file of each tensor", file));
    sort_entries(index);
    return index;
}

}  // namespace assay::checkpoints

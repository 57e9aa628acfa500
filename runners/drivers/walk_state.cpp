#include "runners/drivers/walk_state.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/walk_record.hpp"

namespace assay::runners {
namespace {

using Json = nlohmann::ordered_json;
using namespace checkpoints;
constexpr const char* format_name = "assay.audit-state/1";

std::int64_t changed_ns(const files::ByteReader& file) {
    struct stat status{};
    if (::fstat(file.descriptor(), &status) != 0) return 0;
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

Json shards_json(const Checkpoint& checkpoint) {
    Json all = Json::array();
    files::Buffer buffer;
    for (const Shard& shard : checkpoint.shards) {
        Json one{{"file", shard.file}, {"bytes", shard.bytes}};
        if (shard.reader) {
            one["changed_ns"] = changed_ns(*shard.reader);
            ByteDigest hash;
            const files::View view = shard.reader->view(0, static_cast<std::size_t>(shard.header_bytes), buffer);
            if (view.whole()) hash.add(view.bytes);
            one["header"] = to_hex(hash.value());
        }
        all.push_back(std::move(one));
    }
    return all;
}

const std::string& name_of(const WalkInput& in, const WalkUnit& unit) {
    switch (unit.kind) {
        case WalkUnit::Kind::weights: return in.opened(Of::source).recognition.modules[unit.source].name;
        case WalkUnit::Kind::target_weight: return in.opened(Of::target).recognition.modules[unit.target].name;
        case WalkUnit::Kind::target_alone: return in.tensor(Of::target, unit.target).name;
        case WalkUnit::Kind::tensors:
        case WalkUnit::Kind::source_alone: break;
    }
    return in.tensor(Of::source, unit.source).name;
}

// What of two first lines differs, in words.
std::string difference_of(const Json& then, const Json& now) {
    for (const char* side : {"source", "target"}) {
        const Json& a = then.at(side);
        const Json& b = now.at(side);
        if (a.size() != b.size()) return fmt::format("its {} had {} files and has {}", side, a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (const char* what : {"file", "bytes", "changed_ns", "header"}) {
                const Json was = a[i].value(what, Json());
                const Json is = b[i].value(what, Json());
                if (was != is)
                    return fmt::format("{} of the {} has changed: its {} was {} and is {}", b[i].at("file").dump(),
                                       side, std::string(what) == "changed_ns" ? "time of change (ns)" : what,
                                       was.dump(), is.dump());
            }
        }
    }
    for (const auto& [key, value] : now.items()) {
        if (then.value(key, Json()) != value)
            return fmt::format("{} was {} and is {}", key, then.value(key, Json()).dump(), value.dump());
    }
    return "it says more than is known here";
}

}  // namespace

WalkState::WalkState(const WalkInput& input, const WalkPlan& plan)
    : in_(input),
      plan_(plan),
      path_(input.options().state.path),
      start_(std::chrono::steady_clock::now()),
      written_(start_) {
    if (kept()) header_ = header();
}

std::string WalkState::header() const {
    const WalkOptions& options = in_.options();
    Json json{{"format", format_name}, {"assay", options.state.version}, {"units", plan_.units.size()},
              {"show", options.most_differences}};
    json["differences"] = options.state.differences.empty() ? Json(nullptr) : Json(options.state.differences);
    json["sample"] = nullptr;
    if (options.sample) json["sample"] = {{"fraction", options.sample->fraction}, {"seed", options.sample->seed}};
    json["source"] = shards_json(in_.opened(Of::source).checkpoint);
    json["target"] = shards_json(in_.opened(Of::target).checkpoint);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void WalkState::refuse(const std::string& found) const {
    std::string why = "it is no state of an audit";
    try {
        const Json then = Json::parse(found);
        const std::string format = then.at("format");
        why = format == format_name ? difference_of(then, Json::parse(header_))
                                    : fmt::format("its format is {}, and {} is read here", format, format_name);
    } catch (const nlohmann::json::exception&) {
    }
    throw Error(fmt::format("cannot go on from {}: {}; delete it to begin anew (--resume)", path_, why));
}

std::vector<SavedUnit> WalkState::load() {
    std::vector<SavedUnit> saved;
    if (!kept() || !std::filesystem::exists(path_)) return saved;
    const std::string text = files::read_file(path_);
    std::size_t begin = 0;
    for (std::size_t line = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view words = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        if (line == 0) {
            if (words != header_) refuse(std::string(words));
            continue;
        }
        try {
            if (line > plan_.units.size()) throw std::runtime_error("too many lines");
            saved.push_back(unit_from(words, line - 1));
        } catch (const std::exception&) {
            throw Error(fmt::format("{} is damaged in line {}; delete it to begin anew (--resume)", path_, line + 1));
        }
    }
    const std::size_t first_line = std::min(text.find('\n') + 1, text.size());
    lines_ = text.substr(first_line);
    units_ = saved.size();
    return saved;
}

void WalkState::add(const WalkUnit& unit, const UnitResult& result,
                    const std::vector<bit_exact::BlockDifference>& shown, std::uint64_t written) {
    if (!kept()) return;
    lines_ += record_of(units_++, name_of(in_, unit), result, shown, written);
    lines_ += '\n';
    changed_ = true;
}

void WalkState::write_when_due() {
    if (!kept()) return;
    using std::chrono::seconds;
    const auto now = std::chrono::steady_clock::now();
    const auto every = std::clamp<std::chrono::steady_clock::duration>((now - start_) / 20, seconds(1), seconds(60));
    if (now - written_ >= every) write();
}

void WalkState::write() {
    if (!kept() || !changed_) return;
    files::AtomicFile file(path_);
    file.write(header_);
    file.write("\n");
    file.write(lines_);
    file.commit();
    changed_ = false;
    written_ = std::chrono::steady_clock::now();
}

}  // namespace assay::runners

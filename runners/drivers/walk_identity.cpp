#include "runners/drivers/walk_identity.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

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

std::string identity_of(const WalkInput& input, const WalkPlan& plan) {
    const WalkOptions& options = input.options();
    Json json{{"format", format_name}, {"assay", options.state.version}, {"units", plan.units.size()},
              {"show", options.most_differences}};
    json["differences"] = options.state.differences.empty() ? Json(nullptr) : Json(options.state.differences);
    json["sample"] = nullptr;
    if (options.sample) json["sample"] = {{"fraction", options.sample->fraction}, {"seed", options.sample->seed}};
    json["source"] = shards_json(input.opened(Of::source).checkpoint);
    json["target"] = shards_json(input.opened(Of::target).checkpoint);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string change_between(const std::string& then, const std::string& now) {
    try {
        const Json found = Json::parse(then);
        const std::string format = found.at("format");
        if (format != format_name) return fmt::format("its format is {}, and {} is read here", format, format_name);
        return difference_of(found, Json::parse(now));
    } catch (const nlohmann::json::exception&) {
        return "it is no state of an audit";
    }
}

}  // namespace assay::runners

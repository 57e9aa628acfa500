#include "datasets/runs/audited_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "datasets/runs/format_name.hpp"
#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/read_file.hpp"

namespace assay::runs {
namespace {

using Json = nlohmann::json;

constexpr const char* expected = "expected the JSON of `assay audit --format json`, or assay-cast.json of a cast";

// The record of a cast names every tensor of every shard; none of it is needed, and it is most of the file.
Json without_shards(const std::string& text) {
    const auto keep = [](int depth, Json::parse_event_t event, const Json& parsed) {
        return event != Json::parse_event_t::key || depth != 1 || parsed != "shards";
    };
    return Json::parse(text, keep, false);
}

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_fingerprint(const std::string& text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Why an audit against a source came out without the fingerprint of its checkpoint.
std::string why_without(const Json& against) {
    if (against.value("interrupted", false)) return "it was interrupted: run it to its end";
    if (against.contains("sample") && !against["sample"].is_null()) return "it read a sample: run it without --sample";
    return "not all of the checkpoint could be read: its findings say what";
}

void take_audit(const Json& json, AuditedCheckpoint& out) {
    out.judge = "audit";
    out.checkpoint = json.at("checkpoint").get<std::string>();
    out.errors = json.at("errors").get<std::int64_t>();
    out.warnings = json.at("warnings").get<std::int64_t>();
    const Json& against = json.at("against");
    if (against.is_null()) {
        out.fingerprint = text_of(json, "fingerprint");
        if (out.fingerprint.empty()) throw Error(fmt::format("'{}' holds no fingerprint: run the audit with --source, or with --fingerprint", out.report));
        return;
    }
    out.fingerprint = text_of(against, "target_fingerprint");
    out.source_fingerprint = text_of(against, "source_fingerprint");
    if (out.fingerprint.empty() || out.source_fingerprint.empty()) {
        throw Error(fmt::format("'{}' holds no fingerprint of the whole: {}", out.report, why_without(against)));
    }
    out.source = against.at("source").get<std::string>();
    out.blocks = against.at("blocks").get<std::int64_t>();
    out.blocks_exact = against.at("blocks_exact").get<std::int64_t>();
    out.tensors = against.at("source_tensors").get<std::int64_t>();  // missing ones among them
    out.tensors_identical = against.at("tensors_identical").get<std::int64_t>();
}

void take_cast(const Json& json, AuditedCheckpoint& out) {
    out.judge = "cast";
    const std::filesystem::path path(out.report);
    if (path.filename() == "assay-cast.json") out.checkpoint = path.has_parent_path() ? path.parent_path().string() : ".";
    out.fingerprint = text_of(json, "target_fingerprint");
    if (out.fingerprint.empty()) throw Error(fmt::format("'{}' holds no fingerprint: the cast is not finished; the same command goes on with it", out.report));
    const Json& findings = json.at("findings");
    out.errors = findings.at("errors").get<std::int64_t>();
    out.warnings = findings.at("warnings").get<std::int64_t>();
    const Json& verified = json.at("verified");
    if (verified.is_null()) return;  // written, and never read again: no more than a fingerprint
    out.source_fingerprint = text_of(json, "source_fingerprint");
    out.blocks = verified.at("blocks").get<std::int64_t>();
    out.blocks_exact = verified.at("blocks_exact").get<std::int64_t>();
    out.tensors = verified.at("tensors").get<std::int64_t>();
    out.tensors_identical = verified.at("tensors_identical").get<std::int64_t>();
}

}  // namespace

AuditedCheckpoint read_checkpoint_report(const std::string& path) {
    const std::string text = files::read_file(path);
    const Json json = without_shards(text);
    if (!json.is_object()) throw Error(fmt::format("'{}' is no JSON object: {}", path, expected));
    AuditedCheckpoint out;
    out.report = path;
    out.report_sha256 = files::sha256_hex(text);
    const std::string format = text_of(json, "format");
    const bool cast = format.starts_with("assay.cast/");
    if (!cast && !format.starts_with("assay.audit/")) {
        throw Error(fmt::format("'{}' has {}: {}", path, format.empty() ? "no \"format\"" : fmt::format("format '{}'", format.substr(0, 100)), expected));
    }
    check_format(format, cast ? "assay.cast" : "assay.audit", 1, path);
    try {
        cast ? take_cast(json, out) : take_audit(json, out);
    } catch (const Json::exception& error) {
        throw Error(fmt::format("'{}' is damaged: {}; write the report again", path, error.what()));
    }
    for (const std::string& one : {out.fingerprint, out.source_fingerprint.empty() ? out.fingerprint : out.source_fingerprint}) {
        if (!is_fingerprint(one)) throw Error(fmt::format("'{}' is damaged: '{}' is no fingerprint of 32 hexadecimal digits", path, one.substr(0, 100)));
    }
    return out;
}

std::vector<std::string> paths_served(const std::vector<std::pair<std::string, std::string>>& server, const std::string& model) {
    std::vector<std::string> paths;
    for (const auto& [name, value] : server) {
        const std::string plain = name.substr(name.find_last_of(". ") + 1);  // of "server_info.model_path", of "2. root"
        const bool names = plain == "model_path" || (plain == "root" && (value != model || value.find('/') != std::string::npos));
        if (names && std::find(paths.begin(), paths.end(), value) == paths.end()) paths.push_back(value);
    }
    return paths;
}

}  // namespace assay::runs

#include "runners/commands/rebuild_flags.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "datasets/checkpoints/rebuilt_source.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/read_file.hpp"
#include "harness/files/write_target.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/own_file.hpp"
#include "runners/drivers/rebuild_digests.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "scorers/rules/digest_findings.hpp"

namespace assay::runners {

namespace {

// Before hours of reading, not after them.
void require_place_to_write(const std::string& path) {
    require_own_file(path, "--write-digests", "digests", R"({"format":"assay.digests/)");
    files::require_replaceable(path);
    if (::access(files::folder_of(path).c_str(), W_OK | X_OK) != 0) files::fail_to_write(path, errno);
}

}  // namespace

void RebuildFlags::declare(Flags& flags) {
    flags.flag("--reconstruct-source-digests", reconstruct_,
               "undo a closed-form cast in memory: sha256 of the MXFP4 tensors and files it was made from");
    flags.option("--source-digests", given_file_,
                 "compare them with this file: assay inspect SOURCE --digests, sha256sum *.safetensors, or git lfs "
                 "ls-files -l of the source");
    flags.option("--write-digests", write_, "write them to this file, one JSON object a line");
    flags.option("--source-layout", layout_,
                 "what the source was: compressed-tensors (Kimi-K3), deepseek-v4, gpt-oss or gpt-oss-original; found by the "
                 "tensors unless given, gpt-oss-original apart");
}

void RebuildFlags::refuse(std::string_view why) const {
    refuse_passed_over(why, {{reconstruct_, "--reconstruct-source-digests"},
                             {given_file_.has_value(), "--source-digests"},
                             {write_.has_value(), "--write-digests"},
                             {layout_.has_value(), "--source-layout"}});
}

void RebuildFlags::check() {
    if (layout_ && !asked())
        throw Error("--source-layout needs --reconstruct-source-digests, or a file with --source-digests");
    if (layout_ && !checkpoints::source_layout_from_string(*layout_))
        throw Error(fmt::format("--source-layout must be compressed-tensors, deepseek-v4, gpt-oss or gpt-oss-original, "
                                "not {}", *layout_));
    if (write_) require_place_to_write(*write_);
    if (given_file_) given_ = checkpoints::parse_digests(files::read_file(*given_file_), *given_file_);
}

void RebuildFlags::run(const checkpoints::Opened& cast, unsigned threads, bool quiet,
                       reports::AuditReport& report) const {
    const auto layout = layout_ ? checkpoints::source_layout_from_string(*layout_) : std::nullopt;
    const auto shards = checkpoints::plan_rebuilt_source(cast, layout);
    WalkProgress progress;
    Cancel cancel;
    DigestOptions options;
    options.threads = threads;
    options.cancel = &cancel;
    options.progress = &progress;
    reports::RebuiltReport rebuilt;
    {
        const WalkMonitor monitor(progress, cancel, quiet);
        rebuilt.digests = digest_rebuilt_source(cast, shards, options);
    }
    for (rules::Finding& finding : rules::rebuild_findings(rebuilt.digests))
        report.findings.push_back(std::move(finding));
    if (given_ && !rebuilt.digests.cancelled) {
        rules::DigestCounts counts;
        for (rules::Finding& finding : rules::digest_findings(rebuilt.digests, *given_, counts))
            report.findings.push_back(std::move(finding));
        rebuilt.against = counts;
        rebuilt.given = *given_file_;
    }
    if (write_ && !rebuilt.digests.cancelled) files::replace_file(*write_, digests_text(rebuilt.digests.list));
    report.rebuilt = std::move(rebuilt);
}

}  // namespace assay::runners

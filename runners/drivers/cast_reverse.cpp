#include "runners/drivers/cast_reverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "datasets/cast/config.hpp"
#include "datasets/cast/plan.hpp"
#include "datasets/cast/reverse_plan.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/cast_files.hpp"
#include "runners/drivers/cast_folder.hpp"
#include "runners/drivers/shard_restore.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
namespace fs = std::filesystem;

bool exists(const std::string& path) {
    std::error_code trouble;
    return fs::exists(path, trouble);
}

cast::ReversePlan plan_for(const Opened& cast) {
    const std::string report = cast.checkpoint.folder + "/assay-cast.json";
    if (!exists(report)) return cast::plan_reverse(cast);
    return cast::plan_reverse(cast, cast::parse_cast_report(files::read_file(report), report));
}

cast::PlanIdentity identity_of(const Opened& cast) {
    cast::PlanIdentity identity;
    identity.reverse = true;
    for (const Shard& shard : cast.checkpoint.shards) {
        if (shard.indexed) identity.shards.push_back({shard.file, identify(shard.reader->path())});
    }
    return identity;
}

// Carries over what the cast carried, and puts its originals back.
void restore_files(const Opened& cast, const cast::ReversePlan& plan, const CastFolder& folder, cast::ReverseSummary& summary) {
    const std::string& from = cast.checkpoint.folder;
    carry_files(from, folder.path(), carried_files(cast.checkpoint).carried);
    const std::string originals = from + "/" + originals_folder;
    std::vector<std::string> names;
    if (exists(originals)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(originals))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    carry_files(originals, folder.path(), names);
    const auto has = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (!has("config.json") && exists(from + "/config.json")) {
        files::replace_file(folder.path("config.json"),
                            cast::without_quantization(files::read_file(from + "/config.json")));
        summary.notes.emplace_back("config.json: the source's quantization_config is not known here; the cast's was removed");
    }
    if (!cast.checkpoint.index || has(cast.checkpoint.index->file)) return;
    std::vector<Tensor> tensors;
    std::vector<Shard> shards(plan.shards.size());
    for (std::uint32_t i = 0; i < plan.shards.size(); ++i) {
        shards[i].file = plan.shards[i].file;
        for (const cast::UndoneTensor& one : plan.shards[i].tensors) {
            tensors.push_back(one.tensor);
            tensors.back().shard = i;
        }
    }
    std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    write_index(folder.path(cast.checkpoint.index->file), tensors, shards, summary.total_size);
}

}  // namespace

cast::ReverseSummary run_reverse(const std::string& source, const std::string& target, const RewriteOptions& options) {
    Opened opened = open_and_recognise(source);
    read_past_cache(opened.checkpoint);
    const Opened cast = std::move(opened);
    cast::require_whole(cast);
    const cast::ReversePlan plan = plan_for(cast);
    cast::ReverseSummary summary;
    summary.source = cast.checkpoint.folder;
    summary.target = target;
    summary.recorded = plan.recorded;
    summary.shards = plan.shards.size();
    std::uint64_t bytes = 0;
    for (const cast::UndoneShard& shard : plan.shards) {
        summary.tensors += shard.tensors.size();
        summary.total_size += shard.bytes - shard.header.size();
        bytes += shard.bytes;
    }
    for (const auto& [weight, blocks] : plan.changed) summary.changed_blocks += blocks.size();
    CastFolder folder(target, cast.checkpoint.folder, identity_of(cast));
    folder.require_space(bytes);
    if (options.progress != nullptr) options.progress->bytes_total = summary.total_size;
    for (const cast::UndoneShard& shard : plan.shards) {
        const auto before = folder.record(shard.file);
        if (before && exists(folder.path(shard.file)) && identify(folder.path(shard.file)).untouched_since(before->target)) {
            ++summary.shards_kept;
            continue;
        }
        if (!restore_shard(cast, plan, shard, folder.path(), options)) {
            summary.cancelled = true;
            return summary;
        }
        cast::ShardRecord record;
        record.file = shard.file;
        record.target = identify(folder.path(shard.file));
        folder.keep(record);
    }
    restore_files(cast, plan, folder, summary);
    if (!plan.recorded)
        summary.notes.emplace_back("made without assay-cast.json: headers are those of the reference writer, in the usual "
                                   "layout of the source");
    folder.clear();
    return summary;
}

}  // namespace assay::runners

#include "runners/drivers/cast_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/placed_file.hpp"
#include "runners/drivers/cast_finish.hpp"
#include "runners/drivers/cast_folder.hpp"
#include "runners/drivers/cast_kept.hpp"
#include "runners/drivers/cast_verify.hpp"
#include "runners/drivers/shared_parts.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

// On disk, of a file that may not be there.
std::uint64_t allocated_bytes(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

std::string layouts_of(const Opened& opened) {
    std::set<LayoutId> ids;
    for (const Module& module : opened.recognition.modules) ids.insert(module.layout);
    std::string names;
    for (const LayoutId id : ids) {
        if (!names.empty()) names += " + ";
        names += layout_of(id).name;
    }
    return names;
}

Opened open_source(const std::string& path) {
    Opened opened = open_and_recognise(path);
    if (opened.checkpoint.index) {
        // Names of files are kept by the shards; the entries of a large index take as much memory as the tensors.
        opened.checkpoint.index->entries = {};
        opened.checkpoint.index->files = {};
    }
    read_past_cache(opened.checkpoint);
    return opened;
}

class Cast {
public:
    explicit Cast(const CastRun& run)
        : run_(run), ranks_(run.ranks != nullptr ? *run.ranks : *alone_), source_(open_source(run.source)), plan_(source_, run.options), scales_(plan_) {
        summary_.source = source_.checkpoint.folder;
        summary_.target = run.target;
        summary_.source_layouts = layouts_of(source_);
        summary_.options = run.options;
        summary_.shards = plan_.shards().size();
        summary_.totals = plan_.totals();
    }

    cast::CastSummary plan() { return std::move(summary_); }

    cast::CastSummary write() {
        const cast::PlanIdentity identity = identity_now();
        for (std::size_t i = 0; i < plan_.shards().size(); ++i)
            started_with_[plan_.shards()[i]] = identity.shards[i].identity;
        CastFolder folder = open_folder(identity);
        const std::vector<std::uint32_t> left = shards_left(folder);
        if (is_first()) check_space(folder, left);
        SharedParts shared(ranks_, folder.claims());
        for (const ranks::Claim& claim : shared.left_over()) {
            if (!folder.record(claim.part)) summary_.taken_up.push_back(
                claim.part + (claim.owner.empty() ? "" : ", which " + claim.owner + " had in hand"));
        }
        std::vector<Part> parts;
        for (const std::uint32_t shard : left) parts.push_back({file_of(shard), bytes_to_move(shard)});
        const auto work = [&](std::size_t part) { return write_shard(folder, left[part]); };
        if (!shared.spread(parts, work, run_.rewrite.progress)) {
            summary_.cancelled = true;
        } else if (is_first()) {
            finish_cast({run_, source_, plan_}, folder, summary_);
        }
        return std::move(summary_);
    }

private:
    [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

    // The first rank makes it ready, for all.
    CastFolder open_folder(const cast::PlanIdentity& identity) const {
        if (!is_first()) {
            ranks_.wait_for_all();
            return CastFolder::joined(run_.target);
        }
        CastFolder folder(run_.target, source_.checkpoint.folder, identity);
        ranks_.wait_for_all();
        return folder;
    }

    [[nodiscard]] const std::string& file_of(std::uint32_t shard) const { return source_.checkpoint.shards[shard].file; }
    [[nodiscard]] std::string source_path(std::uint32_t shard) const {
        return source_.checkpoint.shards[shard].reader->path();
    }

    [[nodiscard]] cast::PlanIdentity identity_now() const {
        cast::PlanIdentity identity{false, run_.options, {}};
        for (const std::uint32_t shard : plan_.shards())
            identity.shards.push_back({file_of(shard), identify(source_path(shard))});
        return identity;
    }

    std::vector<std::uint32_t> shards_left(const CastFolder& folder) {
        std::vector<std::uint32_t> left;
        for (const std::uint32_t shard : plan_.shards()) {
            auto record = folder.record(file_of(shard));
            if (record && is_kept(plan_, shard, folder.path(file_of(shard)), *record)) {
                ++summary_.shards_kept;
                const bool unverified = run_.verify && !record->verified;
                const bool undigested = run_.digests && record->source_sha256.empty();
                if (unverified) verify(folder, shard, *record, nullptr);
                if (undigested) add_digests(folder, shard, *record);
                if (unverified || undigested) folder.keep(*record);
            } else {
                left.push_back(shard);
            }
        }
        return left;
    }

    void check_space(const CastFolder& folder, const std::vector<std::uint32_t>& left) const {
        std::uint64_t needed = 0;
        for (const std::uint32_t shard : left) {
            // What a killed start left of it is overwritten.
            const std::uint64_t taken = allocated_bytes(files::partial_sibling(folder.path(file_of(shard))));
            const std::uint64_t bytes = plan_.shard(shard).bytes;
            needed += bytes - std::min(bytes, taken);
        }
        folder.require_space(needed);
    }

    // All that is read for a shard, as progress counts it.
    [[nodiscard]] std::uint64_t bytes_to_move(std::uint32_t shard) const {
        const std::uint64_t source = source_.checkpoint.shards[shard].bytes;
        const std::uint64_t both = run_.verify || run_.digests ? source + plan_.shard(shard).bytes : 0;
        return source + (run_.verify ? both : 0) + (run_.digests ? both : 0);
    }

    // False where it was cancelled.
    bool write_shard(const CastFolder& folder, std::uint32_t shard) {
        auto record = rewrite_shard(plan_, scales_, shard, folder.path(), run_.rewrite);
        if (!record) return false;
        if (record->source != started_with_[shard])
            throw Error(fmt::format("{} changed since the cast was started: leave the source alone, and start again",
                                    source_path(shard)));
        if (run_.verify) verify(folder, shard, *record, run_.rewrite.progress);
        if (run_.digests) {
            add_digests(folder, shard, *record);
            if (run_.rewrite.progress != nullptr)
                run_.rewrite.progress->bytes_done += record->source.bytes + record->target.bytes;
        }
        folder.keep(*record);
        return true;
    }

    void verify(const CastFolder& folder, std::uint32_t shard, cast::ShardRecord& record, WalkProgress* progress) {
        WalkOptions options;
        options.threads = run_.rewrite.threads;
        options.cancel = run_.rewrite.cancel;
        options.progress = progress;
        const auto audit = audit_shard(source_path(shard), folder.path(file_of(shard)), options);
        if (!audit || audit->cancelled) return;
        const std::string fault = first_fault(*audit, record.counts);
        if (!fault.empty())
            throw Error(fmt::format("{} was written and does not hold the source's values: {}", folder.path(record.file),
                                    fault));
        record.verified = verified(*audit);
    }

    void add_digests(const CastFolder& folder, std::uint32_t shard, cast::ShardRecord& record) const {
        record.source_sha256 = files::sha256_of_file(source_path(shard));
        record.target_sha256 = files::sha256_of_file(folder.path(record.file));
    }

    const std::unique_ptr<ranks::Ranks> alone_ = ranks::one_rank();
    const CastRun& run_;
    ranks::Ranks& ranks_;
    Opened source_;
    cast::CastPlan plan_;
    CastScales scales_;
    cast::CastSummary summary_;
    std::map<std::uint32_t, cast::FileIdentity> started_with_;  // by shard
};

}  // namespace

cast::CastSummary plan_cast(const CastRun& run) { return Cast(run).plan(); }

cast::CastSummary run_cast(const CastRun& run) { return Cast(run).write(); }

}  // namespace assay::runners

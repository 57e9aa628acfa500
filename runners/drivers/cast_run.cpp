#include "runners/drivers/cast_run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
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
        if (is_first()) beside_ = plan_beside(run, plan_);
    }

    [[nodiscard]] cast::CastSummary summary() { return std::move(summary_); }

    // Writes the shards and what lies beside them; gives the folder on the first rank, and nothing where there is no more to do.
    [[nodiscard]] std::optional<CastFolder> write() {
        const cast::PlanIdentity identity = identity_now();
        for (std::size_t i = 0; i < plan_.shards().size(); ++i)
            started_with_[plan_.shards()[i]] = identity.shards[i].identity;
        CastFolder folder = open_folder(identity);
        const std::vector<Left> left = shards_left(folder);
        if (ranks_.any(cancelled())) {
            summary_.cancelled = true;
            return std::nullopt;
        }
        if (is_first()) check_space(folder, left);
        SharedParts shared(ranks_, folder.claims(),
                           [&](const std::string& shard) { return folder.record(shard).has_value(); });
        for (const ranks::Claim& claim : shared.left_over()) {
            summary_.taken_up.push_back(claim.part +
                                        (claim.owner.empty() ? "" : ", which " + claim.owner + " had in hand"));
        }
        std::vector<Part> parts;
        for (const Left& one : left) parts.push_back({file_of(one.shard), bytes_to_move(one)});
        const auto work = [&](std::size_t part) { return work_on(folder, left[part]); };
        const bool whole = shared.spread(parts, work, run_.rewrite.progress);
        if (!whole || cancelled()) {
            summary_.cancelled = true;
            return std::nullopt;
        }
        if (!is_first()) return std::nullopt;
        write_beside(run_, plan_, beside_, folder, summary_);
        return folder;
    }

    [[nodiscard]] std::vector<ShardFiles> files() const {
        std::vector<ShardFiles> files;
        for (const std::uint32_t shard : plan_.shards())
            files.push_back({source_path(shard), summary_.target + "/" + file_of(shard)});
        return files;
    }

private:
    [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }
    [[nodiscard]] bool cancelled() const { return run_.rewrite.cancel != nullptr && run_.rewrite.cancel->raised(); }

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

    // What there is to do for a shard: to write it, or what is still asked for of one that an earlier start finished.
    struct Left {
        std::uint32_t shard = 0;
        bool written = false;
    };

    // Cut short where it was cancelled.
    std::vector<Left> shards_left(const CastFolder& folder) {
        const Cancel* const cancel = run_.rewrite.cancel;
        std::vector<Left> left;
        for (const std::uint32_t shard : plan_.shards()) {
            const auto record = folder.record(file_of(shard));
            if (record && !is_source_of(plan_, shard, source_path(shard), *record, cancel).value_or(true))
                throw Error(fmt::format("{} was begun otherwise: {} of the source was written to since; remove it, or name another folder",
                                        summary_.target, file_of(shard)));
            const bool kept = record && is_kept(plan_, shard, folder.path(file_of(shard)), *record, cancel).value_or(false);
            if (cancelled()) break;
            if (kept) ++summary_.shards_kept;
            if (!kept || to_verify(*record) || to_digest(*record)) left.push_back({shard, kept});
        }
        return left;
    }

    [[nodiscard]] bool to_verify(const cast::ShardRecord& record) const { return run_.verify && !record.verified; }
    [[nodiscard]] bool to_digest(const cast::ShardRecord& record) const {
        return run_.digests && record.source_sha256.empty();
    }

    void check_space(const CastFolder& folder, const std::vector<Left>& left) const {
        std::uint64_t needed = 0;
        for (const Left& one : left) {
            if (one.written) continue;
            // What a killed start left of it is overwritten.
            const std::uint64_t taken = allocated_bytes(files::partial_sibling(folder.path(file_of(one.shard))));
            const std::uint64_t bytes = plan_.shard(one.shard).bytes;
            needed += bytes - std::min(bytes, taken);
        }
        folder.require_space(needed);
    }

    // All that is read for a shard, as progress counts it.
    [[nodiscard]] std::uint64_t bytes_to_move(const Left& one) const {
        const std::uint64_t source = source_.checkpoint.shards[one.shard].bytes;
        const std::uint64_t both = run_.verify || run_.digests ? source + plan_.shard(one.shard).bytes : 0;
        return (one.written ? 0 : source) + (run_.verify ? both : 0) + (run_.digests ? both : 0);
    }

    // False where it was cancelled.
    bool work_on(const CastFolder& folder, const Left& one) {
        const auto record = one.written ? folder.record(file_of(one.shard)) : write_shard(folder, one.shard);
        return record && complete(folder, one.shard, *record);
    }

    // Its record is kept at once: what follows may be stopped and gone on with. Nothing where it was cancelled.
    std::optional<cast::ShardRecord> write_shard(const CastFolder& folder, std::uint32_t shard) {
        auto record = rewrite_shard(plan_, scales_, shard, folder.path(), run_.rewrite);
        if (!record) return record;
        if (record->source != started_with_[shard])
            throw Error(fmt::format("{} changed since the cast was started: leave the source alone, and start again",
                                    source_path(shard)));
        folder.keep(*record);
        return record;
    }

    // Verifies and digests, where that is asked for and not done. False where it was cancelled.
    bool complete(const CastFolder& folder, std::uint32_t shard, cast::ShardRecord record) {
        if (to_verify(record)) {
            if (!verify(folder, shard, record)) return false;
            folder.keep(record);
        }
        if (to_digest(record)) {
            add_digests(folder, shard, record);
            if (run_.rewrite.progress != nullptr)
                run_.rewrite.progress->bytes_done += record.source.bytes + record.target.bytes;
            folder.keep(record);
        }
        return true;
    }

    // False where it was cancelled.
    bool verify(const CastFolder& folder, std::uint32_t shard, cast::ShardRecord& record) {
        WalkOptions options;
        options.threads = run_.rewrite.threads;
        options.cancel = run_.rewrite.cancel;
        options.progress = run_.rewrite.progress;
        const auto audit = audit_shard(source_path(shard), folder.path(file_of(shard)), options);
        if (!audit) return true;  // its weights are split over several shards
        if (audit->cancelled) return false;
        const std::string fault = first_fault(*audit, record.counts);
        if (!fault.empty()) {
            folder.forget(record.file);
            throw Error(fmt::format("{} was written and does not hold the source's values: {}; the same command writes it anew",
                                    folder.path(record.file), fault));
        }
        record.verified = verified(*audit);
        return true;
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
    BesidePlan beside_;  // of the first rank
    cast::CastSummary summary_;
    std::map<std::uint32_t, cast::FileIdentity> started_with_;  // by shard
};

}  // namespace

cast::CastSummary plan_cast(const CastRun& run) { return Cast(run).summary(); }

cast::CastSummary run_cast(const CastRun& run) {
    auto cast = std::make_unique<Cast>(run);
    std::optional<CastFolder> folder = cast->write();
    const std::vector<ShardFiles> files = cast->files();
    cast::CastSummary summary = cast->summary();
    if (!folder) return summary;
    cast.reset();  // with every name of the source, which the audit of the whole reads anew, shard by shard
    finish_cast(run, files, *folder, summary);
    return summary;
}

}  // namespace assay::runners

#include "runners/drivers/cast_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "datasets/cast/config.hpp"
#include "datasets/cast/modeling.hpp"
#include "datasets/checkpoints/fingerprint.hpp"
#include "datasets/checkpoints/header.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/placed_file.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/cast_a_log.hpp"
#include "runners/drivers/cast_files.hpp"
#include "runners/drivers/cast_folder.hpp"
#include "runners/drivers/cast_verify.hpp"
#include "runners/drivers/shared_parts.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
namespace fs = std::filesystem;

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
        for (const std::uint32_t shard : left) parts.push_back({file_of(shard), source_.checkpoint.shards[shard].bytes});
        const auto work = [&](std::size_t part) { return write_shard(folder, left[part]); };
        if (!shared.spread(parts, work, run_.rewrite.progress)) {
            summary_.cancelled = true;
        } else if (is_first()) {
            finish(folder);
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

    // Whether a shard that is there is the one that its record tells of.
    [[nodiscard]] bool is_whole(const std::string& path, const cast::ShardRecord& record, std::uint32_t shard) const {
        if (!fs::exists(path)) return false;
        const cast::FileIdentity now = identify(path);
        if (now.bytes != record.target.bytes) return false;
        if (now == record.target) return true;
        // Copied or touched since: its bytes decide.
        const cast::ShardPlan planned = plan_.shard(shard);
        const auto reader = files::open_for_reading(path);
        files::Buffer buffer;
        const files::View head = reader->view(0, planned.header.size(), buffer);
        if (!head.whole() || std::string_view(reinterpret_cast<const char*>(head.bytes.data()), head.bytes.size()) != planned.header)
            return false;
        for (std::size_t i = 0; i < planned.tensors.size(); ++i) {
            const Tensor& tensor = planned.tensors[i].tensor;
            ByteDigest digest;
            constexpr std::uint64_t piece = std::uint64_t{4} << 20;
            for (std::uint64_t at = tensor.begin; at < tensor.end; at += piece) {
                const files::View view =
                    reader->view(at, static_cast<std::size_t>(std::min(piece, tensor.end - at)), buffer);
                if (!view.whole()) return false;
                digest.add(view.bytes);
            }
            if (digest.value() != record.target_digests[i]) return false;
        }
        return true;
    }

    std::vector<std::uint32_t> shards_left(const CastFolder& folder) {
        std::vector<std::uint32_t> left;
        for (const std::uint32_t shard : plan_.shards()) {
            auto record = folder.record(file_of(shard));
            if (record && is_whole(folder.path(file_of(shard)), *record, shard)) {
                ++summary_.shards_kept;
                const bool unverified = run_.verify && !record->verified;
                const bool undigested = run_.digests && record->source_sha256.empty();
                if (unverified) verify(folder, shard, *record);
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
            std::error_code trouble;
            if (fs::exists(files::partial_sibling(folder.path(file_of(shard))), trouble)) continue;  // has its space
            needed += plan_.shard(shard).bytes;
        }
        folder.require_space(needed);
    }

    // False where it was cancelled.
    bool write_shard(const CastFolder& folder, std::uint32_t shard) {
        auto record = rewrite_shard(plan_, scales_, shard, folder.path(), run_.rewrite);
        if (!record) return false;
        if (record->source != started_with_[shard])
            throw Error(fmt::format("{} changed since the cast was started: leave the source alone, and start again",
                                    source_path(shard)));
        if (run_.verify) verify(folder, shard, *record);
        if (run_.digests) add_digests(folder, shard, *record);
        folder.keep(*record);
        return true;
    }

    void verify(const CastFolder& folder, std::uint32_t shard, cast::ShardRecord& record) {
        WalkOptions options;
        options.threads = run_.rewrite.threads;
        options.cancel = run_.rewrite.cancel;
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

    void note(const cast::ShardRecord& record) {
        constexpr std::size_t most_listed = 20;
        summary_.counts.add(record.counts);
        for (const cast::ChangedBlock& block : record.changed) {
            if (block.fate == BlockFate::zeros || summary_.listed.size() >= most_listed) continue;
            summary_.listed.push_back(fmt::format("{} block {}: scale 2^{}", record.weights[block.weight], block.block,
                                                  block.code - 127));
        }
        if (!record.verified) {
            unverified_ = true;
        } else if (summary_.verified) {
            summary_.verified->add(*record.verified);
        } else {
            summary_.verified = record.verified;
        }
    }

    void finish(CastFolder& folder) {
        for (const std::uint32_t shard : plan_.shards()) note(*folder.record(file_of(shard)));
        const CarriedFiles files = carried_files(source_.checkpoint);
        carry_files(source_.checkpoint.folder, folder.path(), files.carried);
        write_config(folder);
        for (std::string& line : a_log_notes(source_)) summary_.notes.push_back(std::move(line));
        if (run_.fix_modeling) fix_modeling(folder);
        keep_originals(folder);
        for (const std::string& file : files.left_out) summary_.notes.push_back(file + " is no part of the checkpoint and was left out");
        write_fingerprints(folder);
        if (run_.verify) verify_whole(folder);
        if (unverified_) summary_.verified.reset();
        write_report(folder);
        folder.clear();
    }

    void write_config(const CastFolder& folder) const {
        const std::string path = source_.checkpoint.folder + "/config.json";
        std::error_code trouble;
        const std::string text = fs::exists(path, trouble) ? files::read_file(path) : std::string();
        const cast::ConfigTexts texts = cast::config_texts(plan_, text, run_.version);
        if (texts.config) files::replace_file(folder.path("config.json"), *texts.config);
        if (texts.hf_quant) files::replace_file(folder.path("hf_quant_config.json"), *texts.hf_quant);
    }

    void fix_modeling(const CastFolder& folder) {
        const std::string path = folder.path(cast::modeling_file);
        std::error_code trouble;
        const auto fix = fs::exists(path, trouble) ? cast::fix_a_log(files::read_file(path)) : std::nullopt;
        if (!fix) {
            summary_.notes.push_back(fmt::format("{} {}: left alone", cast::modeling_file,
                                                 fs::exists(path, trouble) ? "does not build A_log in the form known here"
                                                                           : "is not there"));
            return;
        }
        files::replace_file(path, fix->text);
        summary_.modeling_diff = fix->diff;
        originals_.emplace_back(cast::modeling_file);
    }

    // Files of the source that stand in the cast with other bytes.
    void keep_originals(const CastFolder& folder) {
        for (const char* name : {"config.json", "hf_quant_config.json"}) originals_.emplace_back(name);
        if (source_.checkpoint.index) originals_.push_back(source_.checkpoint.index->file);
        std::error_code trouble;
        std::erase_if(originals_, [&](const std::string& name) {
            return !fs::exists(source_.checkpoint.folder + "/" + name, trouble);
        });
        carry_files(source_.checkpoint.folder, folder.path(originals_folder), originals_);
    }

    void verify_whole(const CastFolder& folder) {
        for (const rules::Finding& finding : audit_whole(source_, folder.path())) {
            ++(finding.severity == rules::Severity::error     ? summary_.errors
               : finding.severity == rules::Severity::warning ? summary_.warnings
                                                              : summary_.findings_noted);
            summary_.findings.push_back(fmt::format("{}: {} {}{}", to_string(finding.severity), finding.rule,
                                                    finding.tensor.empty() ? "" : finding.tensor + ": ", finding.message));
        }
        if (unverified_) verify_split(folder);
    }

    // Weights that are split over several shards can be compared only now.
    void verify_split(const CastFolder& folder) {
        const Opened made = open_and_recognise(folder.path());
        WalkOptions options;
        options.threads = run_.rewrite.threads;
        options.cancel = run_.rewrite.cancel;
        const bit_exact::PairAudit audit = walk_blocks(source_, made, pair_up(source_, made), options);
        const std::string fault = first_fault(audit, summary_.counts);
        if (!fault.empty())
            throw Error(fmt::format("{} was written and does not hold the source's values: {}", folder.path(), fault));
        summary_.verified = verified(audit);
        unverified_ = audit.cancelled;
    }

    // Also the index, which needs the same names.
    void write_fingerprints(const CastFolder& folder) {
        std::vector<Digest> digests(source_.checkpoint.tensors.size());
        std::vector<Tensor> tensors;
        std::vector<Digest> target_digests;
        for (const std::uint32_t shard : plan_.shards()) {
            const cast::ShardRecord record = *folder.record(file_of(shard));
            const auto of_shard = plan_.tensors_of(shard);
            for (std::size_t i = 0; i < of_shard.size(); ++i) digests[of_shard[i]] = record.source_digests[i];
            for (cast::PlannedTensor& planned : plan_.shard(shard).tensors) tensors.push_back(std::move(planned.tensor));
            target_digests.insert(target_digests.end(), record.target_digests.begin(), record.target_digests.end());
        }
        summary_.source_fingerprint = to_hex(fingerprint(source_.checkpoint.tensors, digests));
        summary_.target_fingerprint = to_hex(fingerprint(tensors, target_digests));
        if (!source_.checkpoint.index) return;
        std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
        write_index(folder.path(source_.checkpoint.index->file), tensors, source_.checkpoint.shards,
                    summary_.totals.total_size);
    }

    void write_report(const CastFolder& folder) const {
        files::AtomicFile file(folder.path("assay-cast.json"));
        file.write("{\n" + summary_members(summary_) + ",\n \"shards\": [");
        bool first = true;
        for (const std::uint32_t shard : plan_.shards()) {
            file.write(first ? "\n" : ",\n");
            file.write(folder.record_text(file_of(shard)));
            first = false;
        }
        file.write("\n]}\n");
        file.commit();
    }

    const std::unique_ptr<ranks::Ranks> alone_ = ranks::one_rank();
    const CastRun& run_;
    ranks::Ranks& ranks_;
    Opened source_;
    cast::CastPlan plan_;
    CastScales scales_;
    cast::CastSummary summary_;
    std::map<std::uint32_t, cast::FileIdentity> started_with_;  // by shard
    bool unverified_ = false;
    std::vector<std::string> originals_;
};

}  // namespace

cast::CastSummary plan_cast(const CastRun& run) { return Cast(run).plan(); }

cast::CastSummary run_cast(const CastRun& run) { return Cast(run).write(); }

}  // namespace assay::runners

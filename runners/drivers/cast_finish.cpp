#include "runners/drivers/cast_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "datasets/cast/modeling.hpp"
#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/byte_reader.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/cast_a_log.hpp"
#include "runners/drivers/cast_verify.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
namespace fs = std::filesystem;

// Of either kind, rescued and inexact; the record holds all.
constexpr std::size_t most_listed = 20;

class Beside {
public:
    Beside(const CastRun& run, const cast::CastPlan& plan, const BesidePlan& beside, const CastFolder& folder,
           cast::CastSummary& summary)
        : run_(run), source_(plan.source()), plan_(plan), beside_(beside), folder_(folder), summary_(summary) {}

    void run() {
        for (const std::uint32_t shard : plan_.shards()) note(*folder_.record(file_of(shard)));
        carry_files(source_.checkpoint.folder, folder_.path(), beside_.files.carried);
        const cast::ConfigTexts& texts = beside_.config;
        if (texts.config) files::replace_file(folder_.path("config.json"), *texts.config);
        if (texts.hf_quant) files::replace_file(folder_.path("hf_quant_config.json"), *texts.hf_quant);
        for (std::string& line : a_log_notes(source_)) summary_.notes.push_back(std::move(line));
        if (run_.fix_modeling) fix_modeling();
        keep_originals();
        for (const std::string& file : beside_.files.left_out)
            summary_.notes.push_back(file + " is no part of the checkpoint and was left out");
        write_fingerprints();
        if (unverified_) summary_.verified.reset();
    }

private:
    [[nodiscard]] const std::string& file_of(std::uint32_t shard) const { return source_.checkpoint.shards[shard].file; }

    // "NAME row 3 block 1: scale 2^-27, rounded"
    [[nodiscard]] std::string line_of(const std::string& weight, const cast::ChangedBlock& block) const {
        const auto& modules = source_.recognition.modules;
        const auto module = std::find_if(modules.begin(), modules.end(), [&](const Module& one) { return one.name == weight; });
        const std::uint64_t in_row = module == modules.end() ? 1 : module->columns / 32;
        const char* const fate = block.fate == BlockFate::rescued ? "rescued" : "rounded";
        return fmt::format("{} row {} block {}: {}", weight, block.block / in_row, block.block % in_row,
                           block.fate == BlockFate::nan ? std::string("its scale is NaN")
                                                        : fmt::format("scale 2^{}, {}", block.code - 127, fate));
    }

    void note(const cast::ShardRecord& record) {
        summary_.counts.add(record.counts);
        for (const cast::ChangedBlock& block : record.changed) {
            const bool exact = block.fate == BlockFate::rescued;
            if (block.fate == BlockFate::zeros || (exact ? rescues_listed_ : inexact_listed_) >= most_listed) continue;
            ++(exact ? rescues_listed_ : inexact_listed_);
            summary_.listed.push_back(line_of(record.weights[block.weight], block));
        }
        if (!record.verified) {
            unverified_ = true;
        } else if (summary_.verified) {
            summary_.verified->add(*record.verified);
        } else {
            summary_.verified = record.verified;
        }
    }

    void fix_modeling() {
        const std::string path = folder_.path(cast::modeling_file);
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
    void keep_originals() {
        for (const char* name : {"config.json", "hf_quant_config.json"}) originals_.emplace_back(name);
        if (source_.checkpoint.index) originals_.push_back(source_.checkpoint.index->file);
        std::error_code trouble;
        std::erase_if(originals_, [&](const std::string& name) {
            return !fs::exists(source_.checkpoint.folder + "/" + name, trouble);
        });
        carry_files(source_.checkpoint.folder, folder_.path(originals_folder), originals_);
    }

    // Also the index, which needs the same names.
    void write_fingerprints() {
        std::vector<Digest> digests(source_.checkpoint.tensors.size());
        std::vector<Tensor> tensors;
        std::vector<Digest> target_digests;
        for (const std::uint32_t shard : plan_.shards()) {
            const cast::ShardRecord record = *folder_.record(file_of(shard));
            const auto of_shard = plan_.tensors_of(shard);
            for (std::size_t i = 0; i < of_shard.size(); ++i) digests[of_shard[i]] = record.source_digests[i];
            for (cast::PlannedTensor& planned : plan_.shard(shard).tensors) tensors.push_back(std::move(planned.tensor));
            target_digests.insert(target_digests.end(), record.target_digests.begin(), record.target_digests.end());
        }
        summary_.source_fingerprint = to_hex(fingerprint(source_.checkpoint.tensors, digests));
        summary_.target_fingerprint = to_hex(fingerprint(tensors, target_digests));
        if (!source_.checkpoint.index) return;
        std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
        write_index(folder_.path(source_.checkpoint.index->file), tensors, source_.checkpoint.shards,
                    summary_.totals.total_size);
    }

    const CastRun& run_;
    const Opened& source_;
    const cast::CastPlan& plan_;
    const BesidePlan& beside_;
    const CastFolder& folder_;
    cast::CastSummary& summary_;
    std::size_t rescues_listed_ = 0;
    std::size_t inexact_listed_ = 0;
    bool unverified_ = false;
    std::vector<std::string> originals_;
};

// Weights that are split over several shards can be compared only now. Nothing where it was cancelled.
std::optional<cast::Verified> verify_split(const CastRun& run, const CastFolder& folder, const cast::ShardCounts& counts) {
    const Opened from = open_and_recognise(run.source);
    const Opened made = open_and_recognise(folder.path());
    WalkOptions options;
    options.threads = run.rewrite.threads;
    options.cancel = run.rewrite.cancel;
    const bit_exact::PairAudit audit = walk_blocks(from, made, pair_up(from, made), options);
    if (audit.cancelled) return std::nullopt;
    const std::string fault = first_fault(audit, counts);
    if (!fault.empty())
        throw Error(fmt::format("{} was written and does not hold the source's values: {}", folder.path(), fault));
    return verified(audit);
}

// False where it was cancelled.
bool verify_whole(const CastRun& run, const std::vector<ShardFiles>& shards, const CastFolder& folder,
                  cast::CastSummary& summary) {
    for (const rules::Finding& finding : audit_whole(run.source, folder.path(), shards)) {
        ++(finding.severity == rules::Severity::error     ? summary.errors
           : finding.severity == rules::Severity::warning ? summary.warnings
                                                          : summary.findings_noted);
        const std::string& place = finding.tensor.empty() ? finding.shard : finding.tensor;
        summary.findings.push_back(fmt::format("{}: {} {}{}", to_string(finding.severity), finding.rule,
                                               place.empty() ? "" : place + ": ", finding.message));
    }
    if (!summary.verified) summary.verified = verify_split(run, folder, summary.counts);
    return summary.verified.has_value();
}

void write_report(const std::vector<ShardFiles>& shards, const CastFolder& folder, const cast::CastSummary& summary) {
    files::AtomicFile file(folder.path("assay-cast.json"));
    file.write("{\n" + summary_members(summary) + ",\n \"shards\": [");
    bool first = true;
    for (const ShardFiles& shard : shards) {
        file.write(first ? "\n" : ",\n");
        file.write(folder.record_text(fs::path(shard.target).filename().string()));
        first = false;
    }
    file.write("\n]}\n");
    file.commit();
}

}  // namespace

BesidePlan plan_beside(const CastRun& run, const cast::CastPlan& plan) {
    const Checkpoint& source = plan.source().checkpoint;
    const std::string config = source.folder + "/config.json";
    std::error_code trouble;
    BesidePlan beside;
    beside.config =
        cast::config_texts(plan, fs::exists(config, trouble) ? files::read_file(config) : std::string(), run.version);
    beside.files = carried_files(source);
    for (const std::string& file : beside.files.carried) static_cast<void>(files::open_for_reading(source.folder + "/" + file));
    return beside;
}

void write_beside(const CastRun& run, const cast::CastPlan& plan, const BesidePlan& beside, const CastFolder& folder,
                  cast::CastSummary& summary) {
    Beside(run, plan, beside, folder, summary).run();
}

void finish_cast(const CastRun& run, const std::vector<ShardFiles>& shards, CastFolder& folder, cast::CastSummary& summary) {
    if (run.verify && !verify_whole(run, shards, folder, summary)) {
        summary.cancelled = true;
        return;
    }
    write_report(shards, folder, summary);
    folder.clear();
}

}  // namespace assay::runners

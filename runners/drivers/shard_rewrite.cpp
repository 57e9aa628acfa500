#include "runners/drivers/shard_rewrite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <unordered_map>

#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "runners/drivers/tensor_bytes.hpp"
#include "runners/drivers/weight_cast.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
using cast::Making;

constexpr std::uint64_t copied_at_once = std::uint64_t{4} << 20;
constexpr std::size_t most_named = 5;

// Files with holes, as rehearsals have them, stay files with holes.
bool has_holes(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && status.st_blocks * 512 < status.st_size;
}

// What there is to do for a shard, in the order of the source's file.
struct Job {
    std::uint64_t place = 0;  // in the source's file
    bool is_weight = false;
    WeightJob weight;
    std::size_t tensor = 0;  // into the plan, of a copy
};

std::vector<Job> jobs_of(const cast::CastPlan& plan, const cast::ShardPlan& shard) {
    const Opened& source = plan.source();
    std::vector<Job> jobs;
    std::unordered_map<std::uint32_t, std::size_t> by_module;
    for (std::size_t i = 0; i < shard.tensors.size(); ++i) {
        const cast::PlannedTensor& planned = shard.tensors[i];
        if (planned.making == Making::copy) {
            jobs.push_back({source.checkpoint.tensors[planned.origin].begin, false, {}, i});
            continue;
        }
        const auto [place, added] = by_module.try_emplace(planned.origin, jobs.size());
        if (added) {
            const Module& module = source.recognition.modules[planned.origin];
            const Tensor& payload = source.checkpoint.tensors[module.payload];
            const Tensor& first = payload.shard == shard.shard ? payload : source.checkpoint.tensors[module.scale];
            jobs.push_back({first.begin, true, {planned.origin, nullptr, nullptr, nullptr, nullptr}, 0});
        }
        WeightJob& weight = jobs[place->second].weight;
        if (planned.making == Making::payload) weight.payload = &planned.tensor;
        if (planned.making == Making::block_scale) weight.scale = &planned.tensor;
        if (planned.making == Making::global_scale) weight.global = &planned.tensor;
        if (planned.making == Making::input_scale) weight.input_scale = &planned.tensor;
    }
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.place < b.place; });
    return jobs;
}

// One rewrite: what its threads share.
class Rewrite {
public:
    Rewrite(const cast::CastPlan& plan, CastScales& scales, const cast::ShardPlan& shard, const RewriteOptions& options)
        : plan_(plan), scales_(scales), shard_(shard), options_(options), jobs_(jobs_of(plan, shard)) {
        results_.resize(jobs_.size());
        copies_.resize(shard.tensors.size());
    }

    // False where it was cancelled. Throws where a block cannot be exact and has to be.
    [[nodiscard]] bool run(files::PlacedFile& file) {
        std::atomic<std::size_t> next{0};
        std::atomic<bool> cancelled{false};
        std::atomic<bool> inexact{false};
        file.write(0, std::as_bytes(std::span(shard_.header)));
        const Shard& source = plan_.source().checkpoint.shards[shard_.shard];
        parallel::run_workers(workers_for(source, options_.threads), [&](unsigned) {
            WeightCaster caster(plan_, scales_);
            files::Buffer buffer;
            for (std::size_t at = next++; at < jobs_.size(); at = next++) {
                if (options_.cancel != nullptr && options_.cancel->raised()) cancelled = true;
                if (cancelled || inexact) return;
                if (jobs_[at].is_weight) {
                    if (!options_.allow_inexact && !scales_.of_module(jobs_[at].weight.module).exact) {
                        inexact = true;
                        return;
                    }
                    results_[at] = caster.run(jobs_[at].weight, &file, options_.progress);
                } else {
                    copies_[jobs_[at].tensor] = copy(shard_.tensors[jobs_[at].tensor], file, buffer);
                }
            }
        });
        if (inexact) refuse_inexact();
        return !cancelled;
    }

    [[nodiscard]] cast::ShardRecord record() const {
        cast::ShardRecord record;
        record.file = shard_file();
        std::unordered_map<std::uint32_t, Digest> source;  // by tensor
        std::unordered_map<const Tensor*, Digest> target;
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            if (jobs_[i].is_weight) {
                note_weight(jobs_[i].weight, results_[i], record, source, target);
            } else {
                const cast::PlannedTensor& planned = shard_.tensors[jobs_[i].tensor];
                source[planned.origin] = target[&planned.tensor] = copies_[jobs_[i].tensor];
            }
        }
        for (const std::uint32_t tensor : plan_.tensors_of(shard_.shard)) record.source_digests.push_back(source[tensor]);
        for (const cast::PlannedTensor& planned : shard_.tensors)
            record.target_digests.push_back(target[&planned.tensor]);
        return record;
    }

private:
    [[nodiscard]] const std::string& shard_file() const {
        return plan_.source().checkpoint.shards[shard_.shard].file;
    }

    // Throws, naming the first blocks of this shard that cannot be exact.
    [[noreturn]] void refuse_inexact() {
        std::vector<std::string> named;
        std::uint64_t count = 0;
        WeightCaster caster(plan_, scales_);
        std::set<std::uint32_t> seen;
        for (const Job& job : jobs_) {
            if (!job.is_weight || scales_.of_module(job.weight.module).exact) continue;
            for (const std::uint32_t sharer : plan_.sharers(job.weight.module)) {
                if (seen.insert(sharer).second) count += name_inexact(sharer, caster, named);
            }
        }
        throw Error(fmt::format(
            "{} block{} in {} cannot be cast with every value unchanged: {}{}; use --scale-sharing tensor where weights "
            "differ in range, or --allow-inexact to round them",
            count, count == 1 ? "" : "s", shard_file(), fmt::join(named, ", "),
            count > most_named ? fmt::format(" and {} more", count - most_named) : std::string()));
    }

    // How many blocks of a module are inexact; the first are described.
    [[nodiscard]] std::uint64_t name_inexact(std::uint32_t index, WeightCaster& caster,
                                             std::vector<std::string>& named) const {
        const Module& module = plan_.source().recognition.modules[index];
        const std::uint64_t in_row = module.columns / 32;
        std::uint64_t count = 0;
        for (const cast::ChangedBlock& block : caster.run({index, nullptr, nullptr, nullptr, nullptr}, nullptr, nullptr).changed) {
            if (block.fate == BlockFate::zeros || block.fate == BlockFate::rescued) continue;
            ++count;
            if (named.size() >= most_named) continue;
            named.push_back(fmt::format("{} row {} block {} ({})", module.name, block.block / in_row,
                                        block.block % in_row,
                                        block.fate == BlockFate::nan ? std::string("its scale is NaN")
                                                                     : fmt::format("scale 2^{}", block.code - 127)));
        }
        return count;
    }

    Digest copy(const cast::PlannedTensor& planned, files::PlacedFile& file, files::Buffer& buffer) const {
        const Checkpoint& checkpoint = plan_.source().checkpoint;
        const Tensor& from = checkpoint.tensors[planned.origin];
        ByteDigest digest;
        for (std::uint64_t at = 0; at < from.bytes(); at += copied_at_once) {
            const auto bytes =
                tensor_bytes(checkpoint, from, at, std::min(copied_at_once, from.bytes() - at), buffer);
            file.write(planned.tensor.begin + at, bytes);
            digest.add(bytes);
            if (options_.progress != nullptr)
                options_.progress->bytes_done.fetch_add(bytes.size(), std::memory_order_relaxed);
        }
        return digest.value();
    }

    void note_weight(const WeightJob& job, const WeightResult& result, cast::ShardRecord& record,
                     std::unordered_map<std::uint32_t, Digest>& source,
                     std::unordered_map<const Tensor*, Digest>& target) const {
        const Module& module = plan_.source().recognition.modules[job.module];
        if (job.scale != nullptr) {
            source[module.scale] = result.source_scale;
            target[job.scale] = result.scale;
            target[job.global] = result.global;
            if (job.input_scale != nullptr) target[job.input_scale] = result.input_scale;
            ++record.counts.exponents[result.exponent];
        }
        if (job.payload == nullptr) return;
        source[module.payload] = result.source_payload;
        target[job.payload] = result.payload;
        ++record.counts.weights;
        record.counts.blocks += module.elements() / 32;
        if (result.changed.empty()) return;
        for (cast::ChangedBlock block : result.changed) {
            block.weight = static_cast<std::uint32_t>(record.weights.size());
            record.changed.push_back(block);
            std::uint64_t& count = block.fate == BlockFate::zeros     ? record.counts.zeros
                                   : block.fate == BlockFate::rescued ? record.counts.rescued
                                   : block.fate == BlockFate::rounded ? record.counts.rounded
                                                                      : record.counts.nan;
            ++count;
        }
        record.weights.push_back(module.name);
    }

    const cast::CastPlan& plan_;
    CastScales& scales_;
    const cast::ShardPlan& shard_;
    const RewriteOptions& options_;
    std::vector<Job> jobs_;
    std::vector<WeightResult> results_;  // by job
    std::vector<Digest> copies_;         // by planned tensor
};

std::string header_of(const Shard& shard) {
    files::Buffer buffer;
    const files::View view = shard.reader->view(0, static_cast<std::size_t>(shard.header_bytes), buffer);
    if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", shard.reader->path(), view.fault));
    return {reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()};
}

}  // namespace

cast::FileIdentity identify(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) throw Error(fmt::format("cannot stat {}: {}", path, std::strerror(errno)));
    const auto ns = [](const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; };
    return {static_cast<std::uint64_t>(status.st_size), ns(status.st_mtim), ns(status.st_ctim)};
}

std::optional<cast::ShardRecord> rewrite_shard(const cast::CastPlan& plan, CastScales& scales, std::uint32_t number,
                                               const std::string& folder, const RewriteOptions& options) {
    const Shard& source = plan.source().checkpoint.shards[number];
    const cast::FileIdentity before = identify(source.reader->path());
    const cast::ShardPlan shard = plan.shard(number);
    Rewrite rewrite(plan, scales, shard, options);
    const std::string path = folder + "/" + source.file;
    files::PlacedFile file(path, shard.bytes,
                           has_holes(source.reader->path()) ? files::PlacedFile::Space::holes
                                                            : files::PlacedFile::Space::reserve);
    if (!rewrite.run(file)) return std::nullopt;
    if (identify(source.reader->path()) != before || before.bytes != source.bytes)
        throw Error(fmt::format("{} changed while it was read: leave the source alone, and start again",
                                source.reader->path()));
    file.commit();
    cast::ShardRecord record = rewrite.record();
    record.source = before;
    record.target = identify(path);
    record.source_header = header_of(source);
    return record;
}

}  // namespace assay::runners

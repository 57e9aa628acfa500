#include "runners/drivers/block_walk.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "harness/parallel/workers.hpp"
#include "runners/drivers/walk_unit.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

std::uint64_t bytes_of(const Opened& side, const Module& module) {
    std::uint64_t total = 0;
    for (const auto& part :
         {std::optional(module.payload), std::optional(module.scale), module.global, module.input_scale}) {
        if (part) total += side.checkpoint.tensors[*part].bytes();
    }
    return total;
}

// All units, in the order of the source's files; what only the target has comes last, in its own.
std::vector<WalkUnit> units_of(const Opened& source, const Opened& target, const Pairing& pairing) {
    std::vector<std::pair<std::tuple<int, std::uint32_t, std::uint64_t>, WalkUnit>> placed;
    const auto place = [](int side, const Tensor& tensor) { return std::tuple(side, tensor.shard, tensor.begin); };
    const auto& a = source.checkpoint.tensors;
    const auto& b = target.checkpoint.tensors;
    std::vector<bool> a_done(a.size(), false);
    std::vector<bool> b_done(b.size(), false);
    const auto mark = [](const Module& module, std::vector<bool>& done) {
        for (const auto& part :
             {std::optional(module.payload), std::optional(module.scale), module.global, module.input_scale}) {
            if (part) done[*part] = true;
        }
    };
    for (const IndexPair& pair : pairing.weights) {
        const Module& from = source.recognition.modules[pair.source];
        const Module& to = target.recognition.modules[pair.target];
        mark(from, a_done);
        mark(to, b_done);
        placed.push_back(
            {place(0, a[from.payload]),
             {WalkUnit::Kind::weights, pair.source, pair.target, bytes_of(source, from) + bytes_of(target, to)}});
    }
    for (const IndexPair& pair : pairing.tensors) {
        a_done[pair.source] = b_done[pair.target] = true;
        placed.push_back({place(0, a[pair.source]),
                          {WalkUnit::Kind::tensors, pair.source, pair.target, 2 * a[pair.source].bytes()}});
    }
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        if (!a_done[i]) placed.push_back({place(0, a[i]), {WalkUnit::Kind::source_alone, i, 0, a[i].bytes()}});
    }
    for (std::uint32_t i = 0; i < b.size(); ++i) {
        if (!b_done[i]) placed.push_back({place(1, b[i]), {WalkUnit::Kind::target_alone, 0, i, b[i].bytes()}});
    }
    std::sort(placed.begin(), placed.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<WalkUnit> units;
    units.reserve(placed.size());
    for (const auto& [key, unit] : placed) units.push_back(unit);
    return units;
}

// Takes results as they come and merges them in the order of the units.
class Merger {
public:
    Merger(const Opened& source, const Opened& target, const std::vector<WalkUnit>& units, const WalkOptions& options)
        : source_(source), target_(target), units_(units), options_(options) {}

    void take(std::size_t unit, UnitResult result) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(unit, std::move(result));
        for (auto next = waiting_.begin(); next != waiting_.end() && next->first == merged_; next = waiting_.begin()) {
            merge(units_[next->first], next->second);
            waiting_.erase(next);
            ++merged_;
        }
    }

    // After the last worker: what was finished past a unit that was cancelled.
    bit_exact::PairAudit finish() {
        for (const auto& [unit, result] : waiting_) merge(units_[unit], result);
        return std::move(result_);
    }

private:
    void merge(const WalkUnit& unit, const UnitResult& one) {
        const bool weights = unit.kind == WalkUnit::Kind::weights;
        if (one.unreadable) {
            result_.unreadable.push_back(*one.unreadable);
            const Module* const module = weights ? &source_.recognition.modules[unit.source] : nullptr;
            if (module != nullptr)
                result_.unread_blocks += module->elements() / layout_of(module->layout).block_columns;
        } else if (weights) {
            merge_weights(unit, one);
        } else if (unit.kind == WalkUnit::Kind::tensors) {
            ++result_.tensors;
            if (one.tensor_difference) {
                result_.tensor_differences.push_back(*one.tensor_difference);
            } else {
                ++result_.tensors_identical;
            }
        }
    }

    void merge_weights(const WalkUnit& unit, const UnitResult& one) {
        result_.blocks.add(one.tally);
        ++result_.weights;
        result_.weights_exact += one.tally.exact == one.tally.blocks ? 1 : 0;
        const Module& from = source_.recognition.modules[unit.source];
        const Module& to = target_.recognition.modules[unit.target];
        const auto shard = [](const Opened& side, const Module& module) {
            return side.checkpoint.shards[side.checkpoint.tensors[module.payload].shard].file;
        };
        for (const bit_exact::BlockDifference& difference : one.differences) {
            const bool keep = result_.differences.size() < options_.most_differences;
            if (!keep && !options_.on_difference) return;
            const bit_exact::LocatedDifference located{from.name, shard(source_, from), shard(target_, to), difference};
            if (options_.on_difference) options_.on_difference(located);
            if (keep) result_.differences.push_back(located);
        }
    }

    const Opened& source_;
    const Opened& target_;
    const std::vector<WalkUnit>& units_;
    const WalkOptions& options_;
    std::mutex mutex_;
    std::map<std::size_t, UnitResult> waiting_;
    std::size_t merged_ = 0;
    bit_exact::PairAudit result_;
};

}  // namespace

bit_exact::PairAudit walk_blocks(const Opened& source, const Opened& target, const Pairing& pairing,
                                 const WalkOptions& options) {
    const std::vector<WalkUnit> units = units_of(source, target, pairing);
    if (options.progress != nullptr) {
        std::uint64_t total = 0;
        for (const WalkUnit& unit : units) total += unit.bytes;
        options.progress->bytes_total = total;
    }
    WalkDigests digests{std::vector<Digest>(source.checkpoint.tensors.size()),
                        std::vector<Digest>(target.checkpoint.tensors.size())};
    Merger merger(source, target, units, options);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> cancelled{false};
    const std::size_t most = options.on_difference ? std::numeric_limits<std::size_t>::max() : options.most_differences;
    parallel::run_workers(std::max(1U, options.threads), [&](unsigned) {
        UnitReader reader(source, target, most, options.progress, digests);
        for (std::size_t unit = next++; unit < units.size(); unit = next++) {
            if (options.cancel != nullptr && options.cancel->raised()) {
                cancelled = true;
                return;
            }
            merger.take(unit, reader.read(units[unit]));
        }
    });
    bit_exact::PairAudit result = merger.finish();
    result.cancelled = cancelled;
    result.source_fingerprint = fingerprint(source.checkpoint.tensors, digests.source);
    result.target_fingerprint = fingerprint(target.checkpoint.tensors, digests.target);
    return result;
}

}  // namespace assay::runners

#include "runners/drivers/walk_merge.hpp"

#include <map>
#include <tuple>

namespace assay::runners {

using namespace checkpoints;

namespace {

std::optional<Digest> fingerprint_of(const Checkpoint& checkpoint, const std::vector<Digest>& digests) {
    if (!checkpoint.headers_whole()) return std::nullopt;
    return fingerprint(checkpoint.tensors, digests);
}

}  // namespace

Merger::Merger(const WalkInput& input, const WalkPlan& plan, UnitRange range, std::string identity)
    : in_(input),
      plan_(plan),
      range_(range),
      state_(input, plan, range, input.options().state.path, std::move(identity)),
      merged_(range.begin),
      facts_(input.roles().empty_facts()),
      source_digests_(input.opened(Of::source).checkpoint.tensors.size()),
      target_digests_(input.opened(Of::target).checkpoint.tensors.size()) {}

std::size_t Merger::restore() {
    std::vector<SavedUnit> saved = state_.load();
    const auto& keep = in_.options().state.keep_differences;
    if (keep) keep(saved.empty() ? 0 : saved.back().written);
    if (WalkProgress* const progress = in_.options().progress; progress != nullptr) {
        for (const SavedUnit& one : saved) {
            progress->bytes_before += one.result.bytes_read;
            progress->bytes_done += one.result.bytes_read;
        }
    }
    take_saved(merged_, std::move(saved));
    return merged_;
}

void Merger::take_saved(std::size_t first, std::vector<SavedUnit> saved) {
    merged_ = first;
    for (SavedUnit& one : saved) merge(plan_.units[merged_++], one.result, true);
}

bool Merger::wait_for_turn(std::size_t unit) {
    const std::size_t most_ahead = 4 * std::size_t{in_.workers()};
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] { return ends_ || unit < merged_ + most_ahead; });
    return !ends_;
}

void Merger::abandon() {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    progress_.notify_all();
}

void Merger::take(std::size_t unit, UnitResult result) {
    const std::lock_guard lock(mutex_);
    if (result.cancelled) {
        result_.cancelled = ends_ = true;
        progress_.notify_all();
        return;
    }
    waiting_.emplace(unit, std::move(result));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == merged_; next = waiting_.begin()) {
        merge(plan_.units[next->first], next->second, false);
        waiting_.erase(next);
        ++merged_;
    }
    state_.write_when_due();
    progress_.notify_all();
}

bool Merger::close() {
    state_.write();
    return !result_.cancelled;
}

bit_exact::PairAudit Merger::finish(const Pairing& pairing, rules::ScalarFacts& facts) {
    (void)close();
    in_order_ = false;
    for (auto& [unit, result] : waiting_) merge(plan_.units[unit], result, false);
    const auto& sample = in_.options().sample;
    if (sample) {
        result_.sample = bit_exact::SampledPart{sample->fraction, sample->seed, bytes_read_, plan_.bytes()};
    } else {
        if (!result_.cancelled && result_.unreadable.empty()) {
            result_.source_fingerprint = fingerprint_of(in_.opened(Of::source).checkpoint, source_digests_);
            result_.target_fingerprint = fingerprint_of(in_.opened(Of::target).checkpoint, target_digests_);
        }
        find_renamed(pairing);
    }
    facts = std::move(facts_);
    return std::move(result_);
}

void Merger::merge(const WalkUnit& unit, UnitResult& one, bool restored) {
    bytes_read_ += one.bytes_read;
    if (one.unreadable) {
        merge_unreadable(unit, *one.unreadable);
        if (!restored) record(unit, one, {});
        return;
    }
    std::vector<bit_exact::BlockDifference> shown;
    if (unit.kind == WalkUnit::Kind::weights) shown = merge_weights(unit, one, restored);
    if (!restored) record(unit, one, shown);
    for (const auto& [tensor, digest] : one.source_digests) source_digests_[tensor] = digest;
    for (const auto& [tensor, digest] : one.target_digests) target_digests_[tensor] = digest;
    for (auto& [tensor, values] : one.scalars) in_.roles().put(tensor, std::move(values), facts_);
    if (one.survey) facts_.surveys[unit.target] = *one.survey;
    if (unit.kind != WalkUnit::Kind::tensors) return;
    ++result_.tensors;
    if (one.tensor_difference) {
        result_.tensor_differences.push_back(*one.tensor_difference);
    } else {
        ++result_.tensors_identical;
    }
}

void Merger::record(const WalkUnit& unit, const UnitResult& one,
                    const std::vector<bit_exact::BlockDifference>& shown) {
    if (!state_.kept() || !in_order_) return;
    const auto& written = in_.options().state.differences_bytes;
    state_.add(unit, one, shown, written ? written() : 0);
}

void Merger::merge_unreadable(const WalkUnit& unit, const bit_exact::Unreadable& one) {
    result_.unreadable.push_back(one);
    if (unit.kind != WalkUnit::Kind::weights) return;
    const Module& module = in_.opened(Of::source).recognition.modules[unit.source];
    result_.unread_blocks += module.elements() / layout_of(module.layout).block_columns;
}

std::vector<bit_exact::BlockDifference> Merger::merge_weights(const WalkUnit& unit, const UnitResult& one,
                                                              bool restored) {
    result_.blocks.add(one.tally);
    ++result_.weights;
    result_.weights_exact += one.tally.exact == one.tally.blocks ? 1 : 0;
    const auto shard = [&](Of side, std::uint32_t module) {
        const Checkpoint& checkpoint = in_.opened(side).checkpoint;
        return checkpoint.shards[checkpoint.tensors[in_.opened(side).recognition.modules[module].payload].shard].file;
    };
    bit_exact::LocatedDifference located{in_.opened(Of::source).recognition.modules[unit.source].name,
                                         shard(Of::source, unit.source),
                                         shard(Of::target, unit.target),
                                         {}};
    const auto& options = in_.options();
    std::vector<bit_exact::BlockDifference> shown;
    one.differences.each([&](const bit_exact::BlockDifference& difference) {
        const bool keep = result_.differences.size() < options.most_differences;
        const bool report = options.on_difference && !restored;
        if (!keep && !report) return false;
        located.block = difference;
        located.block.kind = one.settlement.settled(difference.kind);
        if (report) options.on_difference(located);
        if (keep) {
            result_.differences.push_back(located);
            shown.push_back(located.block);
        }
        return true;
    });
    return shown;
}

// The same bytes under another name. Of several alike, the first by name stand for the first.
void Merger::find_renamed(const Pairing& pairing) {
    constexpr std::uint64_t least = 16;  // fewer bytes are alike by chance: a scalar 1.0
    std::multimap<std::tuple<std::uint64_t, Dtype, Digest>, std::uint32_t> extra;
    const auto key = [&](Of side, std::uint32_t index) {
        const Tensor& tensor = in_.tensor(side, index);
        return std::tuple(tensor.bytes(), tensor.dtype,
                          (side == Of::source ? source_digests_ : target_digests_)[index]);
    };
    for (const std::uint32_t index : pairing.extra) {
        if (in_.tensor(Of::target, index).bytes() >= least && target_digests_[index] != Digest{})
            extra.emplace(key(Of::target, index), index);
    }
    for (const std::uint32_t index : pairing.missing) {
        const auto found = extra.lower_bound(key(Of::source, index));
        if (found == extra.end() || found->first != key(Of::source, index)) continue;
        result_.renamed.push_back({index, found->second});
        extra.erase(found);
    }
}

}  // namespace assay::runners

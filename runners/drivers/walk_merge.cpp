#include "runners/drivers/walk_merge.hpp"

namespace assay::runners {

using namespace checkpoints;

Merger::Merger(const WalkInput& input, const WalkPlan& plan)
    : in_(input),
      plan_(plan),
      facts_(input.roles.empty_facts()),
      source_digests_(input.source.checkpoint.tensors.size()),
      target_digests_(input.target.checkpoint.tensors.size()) {}

void Merger::take(std::size_t unit, UnitResult result) {
    const std::lock_guard lock(mutex_);
    if (result.cancelled) {
        result_.cancelled = true;
        return;
    }
    waiting_.emplace(unit, std::move(result));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == merged_; next = waiting_.begin()) {
        merge(plan_.units[next->first], next->second);
        waiting_.erase(next);
        ++merged_;
    }
}

bit_exact::PairAudit Merger::finish(rules::ScalarFacts& facts) {
    for (auto& [unit, result] : waiting_) merge(plan_.units[unit], result);
    if (in_.options.sample) {
        result_.sample = bit_exact::SampledPart{in_.options.sample->fraction, in_.options.sample->seed, bytes_read_,
                                                plan_.bytes()};
    } else {
        result_.source_fingerprint = fingerprint(in_.source.checkpoint.tensors, source_digests_);
        result_.target_fingerprint = fingerprint(in_.target.checkpoint.tensors, target_digests_);
    }
    facts = std::move(facts_);
    return std::move(result_);
}

void Merger::merge(const WalkUnit& unit, UnitResult& one) {
    bytes_read_ += one.bytes_read;
    if (one.unreadable) {
        merge_unreadable(unit, *one.unreadable);
        return;
    }
    for (const auto& [tensor, digest] : one.source_digests) source_digests_[tensor] = digest;
    for (const auto& [tensor, digest] : one.target_digests) target_digests_[tensor] = digest;
    for (auto& [tensor, values] : one.scalars) in_.roles.put(tensor, std::move(values), facts_);
    if (one.survey) facts_.surveys[unit.target] = *one.survey;
    if (unit.kind == WalkUnit::Kind::weights) merge_weights(unit, one);
    if (unit.kind != WalkUnit::Kind::tensors) return;
    ++result_.tensors;
    if (one.tensor_difference) {
        result_.tensor_differences.push_back(*one.tensor_difference);
    } else {
        ++result_.tensors_identical;
    }
}

void Merger::merge_unreadable(const WalkUnit& unit, const bit_exact::Unreadable& one) {
    result_.unreadable.push_back(one);
    if (unit.kind != WalkUnit::Kind::weights) return;
    const Module& module = in_.source.recognition.modules[unit.source];
    result_.unread_blocks += module.elements() / layout_of(module.layout).block_columns;
}

void Merger::merge_weights(const WalkUnit& unit, const UnitResult& one) {
    result_.blocks.add(one.tally);
    ++result_.weights;
    result_.weights_exact += one.tally.exact == one.tally.blocks ? 1 : 0;
    const Module& from = in_.source.recognition.modules[unit.source];
    const Module& to = in_.target.recognition.modules[unit.target];
    const auto shard = [](const Opened& side, const Module& module) {
        return side.checkpoint.shards[side.checkpoint.tensors[module.payload].shard].file;
    };
    for (const bit_exact::BlockDifference& difference : one.differences) {
        const bool keep = result_.differences.size() < in_.options.most_differences;
        if (!keep && !in_.options.on_difference) return;
        const bit_exact::LocatedDifference located{from.name, shard(in_.source, from), shard(in_.target, to),
                                                   difference};
        if (in_.options.on_difference) in_.options.on_difference(located);
        if (keep) result_.differences.push_back(located);
    }
}

}  // namespace assay::runners

#include "datasets/cast/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "datasets/checkpoints/header_text.hpp"
#include "harness/error.hpp"

namespace assay::cast {

using namespace checkpoints;

void require_whole(const Opened& opened) {
    const Checkpoint& checkpoint = opened.checkpoint;
    for (const Shard& shard : checkpoint.shards) {
        if (!shard.indexed) continue;
        if (!shard.present) throw Error(fmt::format("{} cannot be read: {}", shard.file, shard.trouble));
        if (!shard.faults.empty())
            throw Error(fmt::format("{} breaks the format: {}; assay audit lists all faults", shard.file,
                                    shard.faults[0].message));
    }
    for (const BrokenModule& module : opened.recognition.broken) {
        throw Error(fmt::format("the weight {} is not whole: {} {}; assay audit lists all such weights", module.name,
                                module.faults[0].tensor, module.faults[0].message));
    }
    if (!checkpoint.shadowed.empty())
        throw Error(fmt::format("the tensor {} stands in two shards; assay audit lists all of them",
                                checkpoint.shadowed[0].tensor.name));
}

namespace {

void require_decoded(const Module& module) {
    if (layout_of(module.layout).declined)
        throw Error(fmt::format("{} is in the layout {}, which is not read here", module.name,
                                layout_of(module.layout).name));
}

}  // namespace

CastPlan::CastPlan(const Opened& source, const CastOptions& options) : source_(source), options_(options) {
    require_whole(source);
    const auto& tensors = source.checkpoint.tensors;
    const auto& modules = source.recognition.modules;
    group_modules();
    owners_.resize(tensors.size());
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (!is_cast(i)) continue;
        owners_[modules[i].payload] = {i, Role::payload};
        owners_[modules[i].scale] = {i, Role::scale};
    }
    check_names();
    tensors_.resize(tensors.size());
    std::iota(tensors_.begin(), tensors_.end(), 0U);
    std::sort(tensors_.begin(), tensors_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(tensors[a].shard, tensors[a].begin, tensors[a].end, a) <
               std::tuple(tensors[b].shard, tensors[b].begin, tensors[b].end, b);
    });
    std::size_t at = 0;
    for (std::uint32_t shard = 0; shard <= source.checkpoint.shards.size(); ++shard) {
        while (at < tensors_.size() && tensors[tensors_[at]].shard < shard) ++at;
        first_of_shard_.push_back(static_cast<std::uint32_t>(at));
        if (shard < source.checkpoint.shards.size() && source.checkpoint.shards[shard].indexed)
            shards_.push_back(shard);
    }
}

void CastPlan::group_modules() {
    const auto& modules = source_.recognition.modules;
    group_of_.assign(modules.size(), none);
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        require_decoded(modules[i]);
        const Layout& layout = layout_of(modules[i].layout);
        if (!layout.fp4() || layout.block_scale != BlockScale::e8m0) continue;
        if (!target_layout(layout.id, options_.dialect))
            throw Error(fmt::format("{} is in the layout {}, for which {} has no form: use --dialect modelopt or card",
                                    modules[i].name, layout.name, to_string(options_.dialect)));
        const auto [place, added] = numbers.try_emplace(sharing_key(modules[i].name, options_.sharing),
                                                        static_cast<std::uint32_t>(groups_.size()));
        if (added) groups_.emplace_back();
        group_of_[i] = place->second;
        groups_[place->second].push_back(i);
    }
    if (groups_.empty())
        throw Error(fmt::format("{} holds no MXFP4 weight: there is nothing to cast", source_.checkpoint.folder));
}

void CastPlan::check_names() const {
    const auto& modules = source_.recognition.modules;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (!is_cast(i)) continue;
        const TargetTensors made = target_tensors(modules[i], *target_layout(modules[i].layout, options_.dialect));
        for (const Tensor* const one : {&made.payload, &made.scale, &made.global, &made.input_scale}) {
            const Tensor* const taken = source_.checkpoint.find(one->name);
            if (taken == nullptr || owners_[static_cast<std::size_t>(taken - source_.checkpoint.tensors.data())].module == i)
                continue;
            throw Error(fmt::format("the source has a tensor {} beside the weight {}, whose cast needs that name",
                                    one->name, modules[i].name));
        }
    }
}

std::span<const std::uint32_t> CastPlan::tensors_of(std::uint32_t shard) const {
    return std::span(tensors_).subspan(first_of_shard_[shard], first_of_shard_[shard + 1] - first_of_shard_[shard]);
}

const std::vector<std::uint32_t>& CastPlan::sharers(std::uint32_t module) const { return groups_[group_of_[module]]; }

ShardPlan CastPlan::shard(std::uint32_t number) const {
    ShardPlan plan;
    plan.shard = number;
    std::vector<Tensor> tensors;
    std::unordered_map<std::string, std::pair<Making, std::uint32_t>> makings;
    const auto add = [&](Tensor tensor, Making making, std::uint32_t origin) {
        makings.emplace(tensor.name, std::pair(making, origin));
        tensor.shard = number;
        tensors.push_back(std::move(tensor));
    };
    for (const std::uint32_t index : tensors_of(number)) {
        const Owner owner = owners_[index];
        if (owner.role == Role::plain) {
            add(source_.checkpoint.tensors[index], Making::copy, index);
            continue;
        }
        const Module& module = source_.recognition.modules[owner.module];
        TargetTensors made = target_tensors(module, *target_layout(module.layout, options_.dialect));
        if (owner.role == Role::payload) {
            add(std::move(made.payload), Making::payload, owner.module);
            continue;
        }
        add(std::move(made.scale), Making::block_scale, owner.module);
        add(std::move(made.global), Making::global_scale, owner.module);
        if (options_.input_scales) add(std::move(made.input_scale), Making::input_scale, owner.module);
    }
    plan.header = header_text(tensors, source_.checkpoint.shards[number].metadata);
    plan.bytes = tensors.empty() ? plan.header.size() : tensors.back().end;
    plan.tensors.reserve(tensors.size());
    for (Tensor& tensor : tensors) {
        const auto& [making, origin] = makings.find(tensor.name)->second;
        plan.tensors.push_back({std::move(tensor), making, origin});
    }
    return plan;
}

CastTotals CastPlan::totals() const {
    CastTotals totals;
    for (const std::uint32_t number : shards_) {
        const ShardPlan one = shard(number);
        totals.tensors += one.tensors.size();
        totals.total_size += one.bytes - one.header.size();
        totals.file_bytes += one.bytes;
    }
    const auto& modules = source_.recognition.modules;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (!is_cast(i)) continue;
        ++totals.modules;
        totals.blocks += modules[i].elements() / 32;
    }
    return totals;
}

}  // namespace assay::cast

#include "datasets/cast/reverse_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "datasets/cast/plan.hpp"
#include "datasets/checkpoints/header.hpp"
#include "datasets/checkpoints/header_text.hpp"
#include "harness/error.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;

bool is_nvfp4(const Module& module) {
    const Layout& layout = layout_of(module.layout);
    return layout.fp4() && layout.block_scale == BlockScale::e4m3;
}

std::unordered_map<std::string_view, std::uint32_t> modules_by_name(const Opened& cast) {
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    const auto& modules = cast.recognition.modules;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (is_nvfp4(modules[i])) by_name.emplace(modules[i].name, i);
    }
    return by_name;
}

std::uint32_t index_of(const Opened& cast, const Tensor& wanted) {
    const Tensor* const found = cast.checkpoint.find(wanted.name);
    if (found == nullptr) throw Error(fmt::format("the cast has no tensor {}, which its source had", wanted.name));
    if (found->dtype != wanted.dtype || found->shape != wanted.shape)
        throw Error(fmt::format("{} is {} {} in the cast and was {} {} in its source", wanted.name,
                                to_string(found->dtype), shape_text(found->shape), to_string(wanted.dtype),
                                shape_text(wanted.shape)));
    return static_cast<std::uint32_t>(found - cast.checkpoint.tensors.data());
}

// What each of the wanted tensors is made of.
void find_origins(const Opened& cast, ReversePlan& plan) {
    std::vector<Tensor> wanted;
    for (std::uint32_t shard = 0; shard < plan.shards.size(); ++shard) {
        for (UndoneTensor& one : plan.shards[shard].tensors) {
            one.tensor.shard = shard;
            wanted.push_back(one.tensor);
        }
    }
    std::sort(wanted.begin(), wanted.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    const Recognition recognition = recognise(wanted);
    const auto by_name = modules_by_name(cast);
    std::unordered_map<std::string_view, std::pair<Undoing, std::uint32_t>> parts;
    for (const Module& module : recognition.modules) {
        const Layout& layout = layout_of(module.layout);
        if (!layout.fp4() || layout.block_scale != BlockScale::e8m0) continue;
        const auto found = by_name.find(module.name);
        if (found == by_name.end()) throw Error(fmt::format("the cast has no weight {}, which its source had", module.name));
        const Module& made = cast.recognition.modules[found->second];
        if (made.banks != module.banks || made.rows != module.rows || made.columns != module.columns)
            throw Error(fmt::format("{} has another shape in the cast than in its source", module.name));
        parts.emplace(wanted[module.payload].name, std::pair(Undoing::payload, found->second));
        parts.emplace(wanted[module.scale].name, std::pair(Undoing::scale, found->second));
    }
    for (UndoneShard& shard : plan.shards) {
        for (UndoneTensor& one : shard.tensors) {
            const auto part = parts.find(one.tensor.name);
            if (part != parts.end()) {
                std::tie(one.undoing, one.origin) = part->second;
            } else {
                one.origin = index_of(cast, one.tensor);
            }
        }
    }
}

// The usual layout of what an NVFP4 weight was cast from.
LayoutId usual_source(const Opened& cast, const Module& module) {
    if (module.layout == LayoutId::modelopt_nvfp4_bank) return LayoutId::gpt_oss;
    return cast.checkpoint.model.model_type.starts_with("deepseek") ? LayoutId::deepseek_v4
                                                                    : LayoutId::compressed_tensors_mxfp4;
}

Tensor source_tensor(const Module& module, const Layout& layout, bool payload) {
    Tensor tensor;
    const Part& part = payload ? layout.payload : layout.scale;
    tensor.name = module.name + std::string(part.suffix);
    tensor.dtype = part.dtypes[0];
    if (layout.banks) tensor.shape.push_back(module.banks);
    tensor.shape.push_back(layout.banks ? module.rows : module.all_rows());
    if (payload && layout.grouped) {
        tensor.shape.push_back(module.columns / 32);
        tensor.shape.push_back(16);
    } else {
        tensor.shape.push_back(payload ? module.columns / 2 : module.columns / 32);
    }
    return tensor;
}

}  // namespace

std::vector<ShardRecord> parse_cast_report(std::string_view text, const std::string& where) {
    using Json = nlohmann::ordered_json;
    const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!json.is_object() || !json.contains("format") || !json.contains("shards") || !json["shards"].is_array())
        throw Error(fmt::format("{} is no report of a cast", where));
    if (json["format"] != "assay.cast/1")
        throw Error(fmt::format("{} has the format {}; assay.cast/1 is read here", where, json["format"].dump()));
    std::vector<ShardRecord> records;
    for (const Json& shard : json["shards"]) records.push_back(parse_record(shard.dump(), where));
    return records;
}

ReversePlan plan_reverse(const Opened& cast, const std::vector<ShardRecord>& records) {
    ReversePlan plan;
    plan.recorded = true;
    for (const ShardRecord& record : records) {
        const auto bytes = std::as_bytes(std::span(record.source_header)).subspan(8);
        Header header = parse_header(bytes, record.source.bytes);
        if (!header.faults.empty() || header.tensors.size() != record.source_digests.size())
            throw Error(fmt::format("the record of {} does not fit itself; is assay-cast.json whole?", record.file));
        UndoneShard shard{record.file, record.source_header, {}, record.source.bytes};
        for (std::size_t i = 0; i < header.tensors.size(); ++i)
            shard.tensors.push_back({std::move(header.tensors[i]), Undoing::copy, 0, record.source_digests[i]});
        plan.shards.push_back(std::move(shard));
        for (const ChangedBlock& block : record.changed) plan.changed[record.weights[block.weight]].push_back(block);
    }
    find_origins(cast, plan);
    return plan;
}

ReversePlan plan_reverse(const Opened& cast) {
    ReversePlan plan;
    const Checkpoint& checkpoint = cast.checkpoint;
    if (std::none_of(cast.recognition.modules.begin(), cast.recognition.modules.end(), is_nvfp4))
        throw Error(fmt::format("{} holds no NVFP4 weight: --reverse expects a cast", checkpoint.folder));
    std::vector<std::vector<Tensor>> tensors(checkpoint.shards.size());
    std::vector<bool> part(checkpoint.tensors.size(), false);
    for (const Module& module : cast.recognition.modules) {
        if (!is_nvfp4(module)) continue;
        const Layout& layout = layout_of(usual_source(cast, module));
        tensors[checkpoint.tensors[module.payload].shard].push_back(source_tensor(module, layout, true));
        tensors[checkpoint.tensors[module.scale].shard].push_back(source_tensor(module, layout, false));
        part[module.payload] = part[module.scale] = part[*module.global] = true;
        if (module.input_scale) part[*module.input_scale] = true;
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (!part[i]) tensors[checkpoint.tensors[i].shard].push_back(checkpoint.tensors[i]);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!checkpoint.shards[i].indexed) continue;
        UndoneShard shard{checkpoint.shards[i].file, header_text(tensors[i], checkpoint.shards[i].metadata), {}, 0};
        shard.bytes = tensors[i].empty() ? shard.header.size() : tensors[i].back().end;
        for (Tensor& tensor : tensors[i]) shard.tensors.push_back({std::move(tensor), Undoing::copy, 0, std::nullopt});
        plan.shards.push_back(std::move(shard));
    }
    find_origins(cast, plan);
    return plan;
}

}  // namespace assay::cast

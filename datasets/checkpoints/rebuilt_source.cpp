#include "datasets/checkpoints/rebuilt_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "datasets/checkpoints/header_text.hpp"
#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

constexpr std::array<std::pair<std::string_view, LayoutId>, 4> words{{
    {"compressed-tensors", LayoutId::compressed_tensors_mxfp4},
    {"deepseek-v4", LayoutId::deepseek_v4},
    {"gpt-oss", LayoutId::gpt_oss},
    {"gpt-oss-original", LayoutId::gpt_oss_original},
}};

bool is_cast(const Module& module) {
    const Layout& layout = layout_of(module.layout);
    return layout.fp4() && !layout.declined && layout.block_scale == BlockScale::e4m3;
}

// What a weight with a tensor of its own comes from, where nobody says: DeepSeek-V4's FP8 weights pass through a cast.
LayoutId likely_layout(const Recognition& recognition) {
    const auto& modules = recognition.modules;
    const bool deepseek = std::any_of(modules.begin(), modules.end(), [](const Module& module) {
        return module.layout == LayoutId::deepseek_v4_fp8;
    });
    return deepseek ? LayoutId::deepseek_v4 : LayoutId::compressed_tensors_mxfp4;
}

LayoutId source_layout(const Module& module, std::optional<LayoutId> asked, LayoutId likely) {
    const bool bank = layout_of(module.layout).banks;
    const LayoutId chosen = asked.value_or(bank ? LayoutId::gpt_oss : likely);
    if (layout_of(chosen).banks == bank) return chosen;
    throw Error(fmt::format("{} holds {}; {} has no form for that: name another --source-layout", module.name,
                            bank ? "all experts in one tensor" : "one weight", layout_of(chosen).name));
}

// What becomes of each tensor of the cast.
class Planner {
public:
    Planner(const Opened& cast, std::optional<LayoutId> layout) : cast_(cast) {
        const auto& tensors = cast.checkpoint.tensors;
        made_.resize(tensors.size());
        for (std::uint32_t i = 0; i < tensors.size(); ++i) made_[i].push_back({tensors[i], Remaking::copy, i});
        bool any = false;
        const LayoutId likely = likely_layout(cast.recognition);
        for (std::uint32_t i = 0; i < cast.recognition.modules.size(); ++i) {
            if (!is_cast(cast.recognition.modules[i])) continue;
            require_whole_blocks(cast.recognition.modules[i]);
            undo(i, source_layout(cast.recognition.modules[i], layout, likely));
            any = true;
        }
        if (!any)
            throw Error(fmt::format("{} holds no NVFP4 weight: there is no MXFP4 source to rebuild",
                                    cast.checkpoint.folder));
    }

    std::vector<RebuiltShard> shards() {
        require_distinct_names();
        std::vector<RebuiltShard> shards;
        std::vector<std::size_t> place(cast_.checkpoint.shards.size());
        for (std::uint32_t i = 0; i < cast_.checkpoint.shards.size(); ++i) {
            if (!cast_.checkpoint.shards[i].indexed) continue;
            place[i] = shards.size();
            shards.push_back({i, cast_.checkpoint.shards[i].file, {}, {}, {}, 0});
        }
        for (std::vector<RebuiltTensor>& made : made_) {
            for (RebuiltTensor& one : made) shards[place[one.tensor.shard]].tensors.push_back(std::move(one));
        }
        for (RebuiltShard& shard : shards) lay_out(shard);
        return shards;
    }

private:
    static void require_whole_blocks(const Module& module) {
        if (module.columns % 32 != 0)
            throw Error(fmt::format("{} has {} columns, no multiple of 32: it was not cast from MXFP4", module.name,
                                    module.columns));
    }

    void undo(std::uint32_t index, LayoutId layout) {
        const Module& module = cast_.recognition.modules[index];
        SourceParts parts = source_parts(module, layout);
        parts.payload.shard = cast_.checkpoint.tensors[module.payload].shard;
        parts.scale.shard = cast_.checkpoint.tensors[module.scale].shard;
        made_[module.payload] = {{std::move(parts.payload), Remaking::copy, module.payload}};
        made_[module.scale] = {{std::move(parts.scale), Remaking::block_scale, index}};
        if (module.global) made_[*module.global].clear();
        if (module.input_scale) made_[*module.input_scale].clear();
    }

    void require_distinct_names() const {
        std::set<std::string_view> names;
        for (const std::vector<RebuiltTensor>& made : made_) {
            for (const RebuiltTensor& one : made) {
                if (!names.insert(one.tensor.name).second)
                    throw Error(fmt::format("the rebuilt source would have two tensors named {}", one.tensor.name));
            }
        }
    }

    void lay_out(RebuiltShard& shard) const {
        std::map<std::string, RebuiltTensor> by_name;
        std::vector<Tensor> tensors;
        for (RebuiltTensor& one : shard.tensors) {
            tensors.push_back(one.tensor);
            by_name.emplace(one.tensor.name, std::move(one));
        }
        const auto& metadata = cast_.checkpoint.shards[shard.shard].metadata;
        if (!metadata.empty()) shard.header_with_metadata = header_text(tensors, metadata);
        shard.header = header_text(tensors, {});
        shard.tensors.clear();
        for (Tensor& tensor : tensors) {
            RebuiltTensor& one = by_name.at(tensor.name);
            one.tensor = std::move(tensor);
            shard.data_bytes += one.tensor.bytes();
            shard.tensors.push_back(std::move(one));
        }
    }

    const Opened& cast_;
    std::vector<std::vector<RebuiltTensor>> made_;  // by tensor of the cast: nothing or one
};

}  // namespace

std::optional<LayoutId> source_layout_from_string(std::string_view word) noexcept {
    for (const auto& [spelled, id] : words) {
        if (spelled == word) return id;
    }
    return std::nullopt;
}

SourceParts source_parts(const Module& module, LayoutId id) {
    const Layout& layout = layout_of(id);
    SourceParts parts;
    parts.payload.name = module.name + std::string(layout.payload.suffix);
    parts.payload.dtype = layout.payload.dtypes[0];
    parts.scale.name = module.name + std::string(layout.scale.suffix);
    parts.scale.dtype = layout.scale.dtypes[0];
    if (layout.grouped) {
        parts.payload.shape = {module.banks, module.rows, module.columns / 32, 16};
        parts.scale.shape = {module.banks, module.rows, module.columns / 32};
    } else {
        parts.payload.shape = {module.rows, module.columns / 2};
        parts.scale.shape = {module.rows, module.columns / 32};
    }
    return parts;
}

std::vector<RebuiltShard> plan_rebuilt_source(const Opened& cast, std::optional<LayoutId> layout) {
    return Planner(cast, layout).shards();
}

}  // namespace assay::checkpoints

#include "datasets/cast/target_layout.hpp"

#include <array>

#include "datasets/checkpoints/fused_name.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;
using enum LayoutId;

struct Row {
    TargetLayout layout;
    bool compressed_tensors = false;  // the dialect
};

constexpr std::array<Row, 6> table{{{{compressed_tensors_mxfp4, modelopt_nvfp4, 0}, false},
                                    {{compressed_tensors_mxfp4, compressed_tensors_nvfp4, 1}, true},
                                    {{deepseek_v4, modelopt_nvfp4, 0}, false},
                                    {{deepseek_v4, compressed_tensors_nvfp4, 1}, true},
                                    {{gpt_oss, modelopt_nvfp4_bank, 0}, false},
                                    {{gpt_oss_original, modelopt_nvfp4_bank, 0}, false}}};

// The number of an expert, "experts.17.", becomes '*'.
std::string without_expert(std::string name) {
    const std::string mark = "experts.";
    const auto at = name.rfind(mark);
    if (at == std::string::npos) return name;
    const auto first = at + mark.size();
    const auto last = name.find('.', first);
    if (last == std::string::npos || name.find_first_not_of("0123456789", first) != last) return name;
    return name.replace(first, last - first, "*");
}

}  // namespace

std::string_view to_string(Dialect dialect) noexcept {
    static constexpr std::array<std::string_view, 3> names{"modelopt", "compressed-tensors", "card"};
    return names[static_cast<std::size_t>(dialect)];
}

std::string_view to_string(Sharing sharing) noexcept {
    static constexpr std::array<std::string_view, 3> names{"tensor", "pair", "bank"};
    return names[static_cast<std::size_t>(sharing)];
}

std::optional<TargetLayout> target_layout(LayoutId source, Dialect dialect) noexcept {
    for (const Row& row : table) {
        if (row.layout.source == source && row.compressed_tensors == (dialect == Dialect::compressed_tensors))
            return row.layout;
    }
    return std::nullopt;
}

TargetTensors target_tensors(const Module& module, const TargetLayout& layout) {
    const Layout& to = layout_of(layout.target);
    const auto tensor = [&](const Part& part, Dtype dtype, std::vector<std::uint64_t> shape) {
        Tensor made;
        made.name = module.name + std::string(part.suffix);
        made.dtype = dtype;
        made.shape = std::move(shape);
        return made;
    };
    const auto shape = [&](std::uint64_t columns) {
        std::vector<std::uint64_t> extents;
        if (to.banks) extents.push_back(module.banks);
        extents.push_back(to.banks ? module.rows : module.all_rows());
        extents.push_back(columns);
        return extents;
    };
    const std::vector<std::uint64_t> scalar(layout.scalar_rank, 1);
    return {tensor(to.payload, Dtype::U8, shape(module.columns / 2)),
            tensor(to.scale, Dtype::F8_E4M3, shape(module.columns / to.block_columns)),
            tensor(to.global, Dtype::F32, scalar), tensor(to.input_scale, Dtype::F32, scalar)};
}

std::string sharing_key(const std::string& module, Sharing sharing) {
    if (sharing == Sharing::tensor) return module;
    const std::string fused = fused_name(module);
    const std::string& key = fused.empty() ? module : fused;
    return sharing == Sharing::bank ? without_expert(key) : key;
}

}  // namespace assay::cast

#include "datasets/checkpoints/inventory.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "datasets/checkpoints/name_pattern.hpp"

namespace assay::checkpoints {
namespace {

class Folder {
public:
    InventoryRow& row(std::string_view name, std::optional<LayoutId> layout, Dtype dtype,
                      const std::vector<std::uint64_t>& shape) {
        FoldedName folded = fold_numbers(name);
        const auto [place, added] = rows_.try_emplace({layout, folded.key, dtype, shape});
        Entry& entry = place->second;
        if (added) {
            entry.row.layout = layout;
            entry.row.dtype = dtype;
            entry.row.shape = shape;
            for (const std::uint64_t number : folded.numbers) entry.spans.push_back({number, number});
        }
        for (std::size_t i = 0; i < std::min(folded.numbers.size(), entry.spans.size()); ++i) {
            entry.spans[i].low = std::min(entry.spans[i].low, folded.numbers[i]);
            entry.spans[i].high = std::max(entry.spans[i].high, folded.numbers[i]);
        }
        return entry.row;
    }

    std::vector<InventoryRow> take() {
        std::vector<InventoryRow> rows;
        for (auto& [key, entry] : rows_) {
            entry.row.pattern = unfold_numbers(std::get<1>(key), entry.spans);
            rows.push_back(std::move(entry.row));
        }
        return rows;
    }

private:
    struct Entry {
        InventoryRow row;
        std::vector<NumberSpan> spans;
    };
    using Key = std::tuple<std::optional<LayoutId>, std::string, Dtype, std::vector<std::uint64_t>>;
    std::map<Key, Entry> rows_;
};

std::vector<std::uint64_t> shape_of(const Module& module) {
    if (module.banks > 1) return {module.banks, module.rows, module.columns};
    return {module.rows, module.columns};
}

}  // namespace

Inventory take_inventory(const Checkpoint& checkpoint, const Recognition& recognition) {
    Inventory inventory;
    Folder modules;
    for (const Module& module : recognition.modules) {
        const Layout& layout = layout_of(module.layout);
        InventoryRow& row =
            modules.row(module.name, module.layout, checkpoint.tensors[module.payload].dtype, shape_of(module));
        ++row.count;
        if (layout.fp4()) inventory.blocks += module.elements() / layout.block_columns;
        for (const auto& part :
             {std::optional(module.payload), std::optional(module.scale), module.global, module.input_scale}) {
            if (!part) continue;
            ++row.tensors;
            row.bytes += checkpoint.tensors[*part].bytes();
        }
        row.input_scales = row.input_scales || module.input_scale.has_value();
    }
    inventory.modules = modules.take();
    Folder plain;
    for (const std::uint32_t index : recognition.plain) {
        const Tensor& tensor = checkpoint.tensors[index];
        InventoryRow& row = plain.row(tensor.name, std::nullopt, tensor.dtype, tensor.shape);
        ++row.count;
        ++row.tensors;
        row.bytes += tensor.bytes();
    }
    inventory.plain = plain.take();
    inventory.tensors = checkpoint.tensors.size();
    for (const Tensor& tensor : checkpoint.tensors) inventory.bytes += tensor.bytes();
    for (const Shard& shard : checkpoint.shards) inventory.file_bytes += shard.indexed ? shard.bytes : 0;
    return inventory;
}

}  // namespace assay::checkpoints

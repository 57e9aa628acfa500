// Inventory: what a checkpoint holds, tensors of like names folded into one row.
//
// Numbers that stand alone between dots are folded: "layers.{1..92}.experts.{0..895}.w1". Rows are split where layout,
// dtype or shape differ, so that each row is of one kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"

namespace assay::checkpoints {

struct InventoryRow {
    std::string pattern;
    std::optional<LayoutId> layout;    // unset for plain tensors
    Dtype dtype{};                     // of the tensor, or of a module's packed weight
    std::vector<std::uint64_t> shape;  // of the tensor; of a module its banks (where above 1), rows and columns
    std::uint64_t count = 0;           // modules or plain tensors
    std::uint64_t tensors = 0;         // tensors, scales included
    std::uint64_t bytes = 0;           // of all of them
    bool input_scales = false;         // modules that carry static activation scales
};

struct Inventory {
    std::vector<InventoryRow> modules;  // by layout, then pattern
    std::vector<InventoryRow> plain;    // by pattern
    std::uint64_t tensors = 0;
    std::uint64_t bytes = 0;       // of tensors
    std::uint64_t file_bytes = 0;  // of indexed shards, headers included
    std::uint64_t blocks = 0;      // of FP4 modules, at the width of each layout
};

[[nodiscard]] Inventory take_inventory(const Checkpoint& checkpoint, const Recognition& recognition);

}  // namespace assay::checkpoints

// Module: one quantized weight with the tensors that scale it.
//
// Axis order of every part is row-major: bank (expert), row (output), column (input). Row r of bank b is row
// b * rows + r of the whole, which is how rows are numbered wherever blocks are named.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/checkpoints/layout.hpp"
#include "datasets/checkpoints/tensor.hpp"

namespace assay::checkpoints {

struct Module {
    std::string name;  // what the tensors' names share: "model.layers.3.mlp.experts.7.w1"
    LayoutId layout{};
    std::uint64_t banks = 1;    // experts in one tensor; 1 where each has its own
    std::uint64_t rows = 0;     // of a bank
    std::uint64_t columns = 0;  // elements, not bytes; a multiple of the block's columns for FP4 layouts
    std::uint32_t payload = 0;  // indexes into the tensors that were recognised
    std::uint32_t scale = 0;
    std::optional<std::uint32_t> global;       // elements: 1, or one a bank
    std::optional<std::uint32_t> input_scale;  // the same

    [[nodiscard]] std::uint64_t all_rows() const noexcept { return banks * rows; }
    [[nodiscard]] std::uint64_t elements() const noexcept { return banks * rows * columns; }
};

enum class PartFaultKind : std::uint8_t { missing, dtype, shape };

// What keeps one part of a module from fitting its layout.
struct PartFault {
    PartFaultKind kind{};
    std::string tensor;   // the name it has, or would have
    std::string message;  // "is BF16, not U8", "has shape [3, 4]; [3, 8] fits the weight"
};

// Tensors that belong to a quantized weight and do not make a whole one.
struct BrokenModule {
    std::string name;
    LayoutId layout{};  // the nearest
    std::vector<PartFault> faults;
    std::vector<std::uint32_t> parts;
};

struct Recognition {
    std::vector<Module> modules;       // by name; of layouts that are declined too
    std::vector<BrokenModule> broken;  // by name
    std::vector<std::uint32_t> plain;  // indexes of tensors that belong to neither, ascending
};

// Tells modules from plain tensors by names, dtypes and shapes alone; configuration is not asked.
// `tensors` must have distinct names.
[[nodiscard]] Recognition recognise(std::span<const Tensor> tensors);

// "[3072, 1792]"; "[]" for a scalar; of more than 16 axes the first 16 and their number.
[[nodiscard]] std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace assay::checkpoints

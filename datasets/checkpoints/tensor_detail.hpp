// TensorDetail: one tensor or quantized weight looked at closely, its bytes included.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"

namespace assay::checkpoints {

// How often each code of an 8-bit block scale occurs.
using CodeCounts = std::array<std::uint64_t, 256>;

struct TensorDetail {
    std::vector<Tensor> tensors;            // the tensor, or all parts of the module, packed weight first
    std::vector<std::string> shards;        // file of each
    std::optional<Module> module;           // set where the name is a module's or one of its parts'
    std::optional<CodeCounts> scale_codes;  // of 8-bit block scales
    std::vector<double> global_scales;      // as stored; at most `most_values` of them
    std::vector<double> first_values;       // in the order of storage; a module's are dequantized
    std::vector<std::string> faults;        // bytes that could not be read, and layouts that are not decoded

    static constexpr std::size_t most_values = 16;
};

// `name` is a tensor's or a module's. Throws assay::Error, with the nearest names, where there is none.
[[nodiscard]] TensorDetail look_closely(const Checkpoint& checkpoint, const Recognition& recognition,
                                        const std::string& name);

}  // namespace assay::checkpoints

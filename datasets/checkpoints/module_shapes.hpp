// Private to this folder: whether the parts of a module fit each other.
#pragma once

#include <vector>

#include "datasets/checkpoints/module.hpp"

namespace assay::checkpoints {

// Tensors found for the parts of a layout; null where there is none.
struct FoundParts {
    const Tensor* payload = nullptr;
    const Tensor* scale = nullptr;
    const Tensor* global = nullptr;
    const Tensor* input_scale = nullptr;
};

// Fills `module`'s geometry from shapes and returns what does not fit. Payload and scale must be there.
[[nodiscard]] std::vector<PartFault> check_shapes(const Layout& layout, const FoundParts& found, Module& module);

}  // namespace assay::checkpoints

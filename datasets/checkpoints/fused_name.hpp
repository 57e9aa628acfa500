// Fused names: which weights servers load into one, so that they must share a global scale.
//
// w1 and w3 of an expert, gate_proj and up_proj, q_proj, k_proj and v_proj. Sources: the expert and linear layers of vLLM
// and SGLang, which keep one global scale for what they fuse.
#pragma once

#include <string>
#include <string_view>

namespace assay::checkpoints {

// "model.layers.3.mlp.experts.7.(w1, w3)" for either; the same for all weights that are fused. Empty where a weight stays
// alone. `module` is a module's name, without the suffix of a tensor.
[[nodiscard]] std::string fused_name(std::string_view module);

}  // namespace assay::checkpoints

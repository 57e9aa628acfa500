// Exclusions: entries that keep every plain linear weight, and no cast one, out of quantization, for each way of matching.
//
// They are derived from tensors, not from the source's list, which may be incomplete. An entry covers the shortest leading
// part of a name that no quantized weight shares, layer and expert numbers left open:
//
//     language_model.model.layers.*.self_attn*            Model Optimizer, vLLM, SGLang (fnmatch)
//     re:.*model\.layers\.\d+\.self_attn.*               compressed-tensors (Python's re.match)
//
// A layer's number stays where a server gives quantized weights of other layers a name of that kind (the dense mlp of
// Kimi-K3's layer 0, whose experts' block_sparse_moe is mlp to servers),
// so that names which servers fuse (self_attn.qkv_proj) are covered too. vLLM also takes an entry without wildcard for a
// substring of names: none is written without one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"

namespace assay::cast {

struct Exclusions {
    std::vector<std::string> globs;    // sorted
    std::vector<std::string> regexes;  // "re:..", sorted
};

// `quantized` are names of modules, `plain` those of linear layers that stay as they are.
[[nodiscard]] Exclusions exclusions(const std::vector<std::string_view>& quantized,
                                    const std::vector<std::string_view>& plain);

// Plain weights that readers build as linear layers, without ".weight": two axes, real numbers, no table of embeddings.
[[nodiscard]] std::vector<std::string_view> plain_linears(const checkpoints::Opened& opened);

}  // namespace assay::cast

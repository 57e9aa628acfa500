// The model whose checkpoints the mutation tests damage.
#pragma once

#include "tests/support/checkpoints/small_model.hpp"

namespace assay::runners {

// Two weights, of which the first has blocks of zeros of either sign, and a plain tensor.
inline support::SmallModel small_pair(bool banks, std::uint64_t rows, std::uint64_t columns) {
    support::SmallModel model;
    for (const unsigned seed : {1U, 2U}) {
        support::Weight weight = support::random_weight(seed == 1 ? "l.w1" : "l.w2", banks ? 2 : 1, rows, columns, seed);
        weight.shard = "model.safetensors";
        for (std::size_t i = 0; seed == 1 && i < weight.nibbles.size() * 3 / 8; ++i) weight.nibbles[i] = i % 5 == 0 ? 8 : 0;
        model.weights.push_back(std::move(weight));
    }
    auto& plain = model.plain.shards["model.safetensors"];
    plain.push_back(support::counted_tensor("norm", support::Dtype::BF16, {4}, 3));
    plain.push_back(support::counted_tensor("lm_head.weight", support::Dtype::BF16, {2, 2}, 9));
    return model;
}

}  // namespace assay::runners

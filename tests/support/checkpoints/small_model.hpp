// SmallModel: a model of a few kilobytes with quantized weights, and its checkpoint in each dialect.
//
//     SmallModel model = kimi_k3_like();
//     CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
//     CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));     // the closed-form cast, written here plainly
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/checkpoints/checkpoint_folder.hpp"

namespace assay::support {

// MXFP4 numbers, unpacked: value = E2M1[nibble] * 2^(exponent - 127).
struct Weight {
    std::string name;
    std::uint64_t banks = 1;
    std::uint64_t rows = 0;               // of a bank
    std::uint64_t columns = 0;            // a multiple of 32
    std::vector<std::uint8_t> nibbles;    // banks * rows * columns
    std::vector<std::uint8_t> exponents;  // one for 32 columns, E8M0 codes
    int shares_with = -1;                 // weights of equal non-negative number share a global scale when cast
    std::string shard = "model-00001-of-000001.safetensors";
};

enum class Dialect {
    compressed_tensors_mxfp4,
    gpt_oss,
    gpt_oss_original,
    deepseek_v4,
    modelopt_nvfp4,
    compressed_tensors_nvfp4
};

struct SmallModel {
    std::vector<Weight> weights;
    CheckpointFiles plain;               // everything that is not quantized, by shard
    std::string model_type = "kimi_k3";  // of its config.json
};

// Random nibbles and exponents in [low, high], from `seed` alone.
[[nodiscard]] Weight random_weight(std::string name, std::uint64_t banks, std::uint64_t rows, std::uint64_t columns,
                                   unsigned seed, std::uint8_t low = 119, std::uint8_t high = 123);

// Two shards; layer 0 dense, layer 1 with `experts` experts of w1, w2, w3; attention, norms, embeddings, A_log.
[[nodiscard]] SmallModel kimi_k3_like(unsigned experts = 3, unsigned seed = 1);
// One layer; gate_up_proj and down_proj of 2 experts in one tensor each, with biases.
[[nodiscard]] SmallModel gpt_oss_like(bool original_names = false, unsigned seed = 2);
[[nodiscard]] SmallModel deepseek_v4_like(unsigned experts = 2, unsigned seed = 3);

// Tensors of one weight. `m` is the exponent of the global scale, for NVFP4 dialects only.
[[nodiscard]] std::vector<StoredTensor> store(const Weight& weight, Dialect dialect, int m = 0);
// k_max - 8 over the weights that share it.
[[nodiscard]] int closed_form_m(const std::vector<Weight>& weights, const Weight& weight);
// The whole, with a config.json that says what the tensors are.
[[nodiscard]] CheckpointFiles store(const SmallModel& model, Dialect dialect);

}  // namespace assay::support

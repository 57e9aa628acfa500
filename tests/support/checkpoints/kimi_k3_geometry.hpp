// The published geometry of moonshotai/Kimi-K3: 96 shards, 497,220 tensors, 1,560,860,324,864 bytes.
//
// Written as sparse files: exact headers, and holes where the data are. A hole reads as zeros.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/checkpoints/stored_tensor.hpp"

namespace assay::support {

inline constexpr unsigned kimi_k3_shards = 96;

// "model-00001-of-000096.safetensors": five digits, then six, as published. `shard` counts from 1.
[[nodiscard]] std::string kimi_k3_shard_name(unsigned shard);

// Tensors of a shard with names, dtypes and shapes, and no bytes.
[[nodiscard]] std::vector<StoredTensor> kimi_k3_shard(unsigned shard);

// Writes one shard as a sparse file into an existing folder; returns the bytes of its tensors.
std::uint64_t write_kimi_k3_shard(const std::string& folder, unsigned shard);

// Puts real blocks into the first `experts` experts of a layer (1 to 92) whose shard was written: `rows` is a file of the
// 64 published rows of one w1, of which every expert tensor holds 48 times the bytes. 17.5 MB on disk an expert.
void fill_kimi_k3_experts(const std::string& folder, unsigned layer, unsigned experts, const std::string& rows);

// Writes all shards as sparse files, the index, and `config_json` as config.json, into an existing folder.
void write_kimi_k3_geometry(const std::string& folder, const std::string& config_json);

}  // namespace assay::support

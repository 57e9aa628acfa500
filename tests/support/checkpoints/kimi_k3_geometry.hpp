// The published geometry of moonshotai/Kimi-K3: 96 shards, 497,220 tensors, 1,560,860,324,864 bytes.
//
// Written as sparse files: exact headers, and holes where the data are. A hole reads as zeros.
#pragma once

#include <string>
#include <vector>

#include "tests/support/checkpoints/stored_tensor.hpp"

namespace assay::support {

inline constexpr unsigned kimi_k3_shards = 96;

// "model-00001-of-000096.safetensors": five digits, then six, as published. `shard` counts from 1.
[[nodiscard]] std::string kimi_k3_shard_name(unsigned shard);

// Tensors of a shard with names, dtypes and shapes, and no bytes.
[[nodiscard]] std::vector<StoredTensor> kimi_k3_shard(unsigned shard);

// Writes all shards as sparse files, the index, and `config_json` as config.json, into an existing folder.
void write_kimi_k3_geometry(const std::string& folder, const std::string& config_json);

}  // namespace assay::support

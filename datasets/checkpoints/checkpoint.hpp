// Checkpoint: everything a folder of safetensors files says about itself, short of the bytes of its tensors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/header_fault.hpp"
#include "datasets/checkpoints/index.hpp"
#include "datasets/checkpoints/quantization_config.hpp"
#include "datasets/checkpoints/tensor.hpp"
#include "harness/files/byte_reader.hpp"

namespace assay::checkpoints {

struct Shard {
    std::string file;                // name in the folder
    bool indexed = true;             // named by the index, or there is no index
    bool present = true;             // false: the index names it and it is not there, or cannot be opened
    bool withheld = false;           // not present here, though it may well be: this process may not read it, say
    std::string trouble;             // why it is not present
    std::uint64_t bytes = 0;         // of the file
    std::uint64_t header_bytes = 0;  // 8 + N
    std::map<std::string, std::string> metadata;
    std::vector<HeaderFault> faults;
    std::uint64_t fault_count = 0;
    std::shared_ptr<const files::ByteReader> reader;  // null where not present
};

// A tensor that another of the same name hides.
struct Shadowed {
    Tensor tensor;
    std::uint32_t kept_in = 0;  // shard of the one that is kept
};

struct Checkpoint {
    std::string folder;
    std::vector<Shard> shards;       // by file name
    std::vector<Tensor> tensors;     // by name, distinct; of indexed shards only
    std::vector<Shadowed> shadowed;  // the index's shard wins, then the last by file name
    std::vector<Tensor> unindexed;   // tensors of shards that the index does not name
    std::optional<Index> index;
    std::vector<QuantizationConfig> configs;
    ModelConfig model;
    std::vector<std::string> config_troubles;  // a config.json that cannot be read, in one line each

    [[nodiscard]] const Tensor* find(std::string_view name) const noexcept;
    // Every shard that the index names is there, and no header has a fault: `tensors` is all there should be.
    [[nodiscard]] bool headers_whole() const noexcept;
};

// Opens a folder, an index (.json) or a single .safetensors file, and reads all headers. Faults of headers and
// missing shards are in the result. Throws assay::Error where there is nothing to read: no such path, no
// safetensors file, an index that is no index, a configuration that this process may not read, or a format that is not
// read here (GGUF).
[[nodiscard]] Checkpoint open_checkpoint(const std::string& path);

}  // namespace assay::checkpoints

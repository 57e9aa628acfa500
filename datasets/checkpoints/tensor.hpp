// Tensor: one entry of a safetensors header, and where its bytes lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/checkpoints/dtype.hpp"

namespace assay::checkpoints {

struct Tensor {
    std::string name;  // as in the header: untrusted text
    Dtype dtype = Dtype::U8;
    std::vector<std::uint64_t> shape;  // row-major (C order), slowest axis first; empty: a scalar
    std::uint32_t shard = 0;           // index into Checkpoint::shards; 0 for a file read alone
    std::uint64_t begin = 0;           // bytes [begin, end) from the start of the file, little-endian elements;
    std::uint64_t end = 0;             //   end >= begin, but both may lie beyond the file where its header has faults

    [[nodiscard]] std::uint64_t bytes() const noexcept { return end - begin; }
};

}  // namespace assay::checkpoints

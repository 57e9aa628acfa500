// RebuiltDigests: what rebuilding the MXFP4 source of a cast came to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/checkpoints/digest_list.hpp"

namespace assay::checkpoints {

// A weight whose scales no closed-form cast writes, or a tensor that could not be read.
struct NotRebuilt {
    std::string tensor;  // of the cast
    std::string shard;
    std::optional<std::uint64_t> row;    // of all rows
    std::optional<std::uint64_t> block;  // in its row, 32 wide
    std::string message;
};

struct RebuiltDigests {
    // By name. A file stands there twice where the cast's shard has __metadata__: without it, then with it. What holds a
    // tensor that was not rebuilt is left out; the fingerprint is empty then.
    DigestList list;
    std::string cast_fingerprint;     // of the checkpoint that was read; empty where it was not read whole
    std::uint64_t weights = 0;        // NVFP4
    std::uint64_t undone = 0;         // of them
    std::uint64_t files = 0;          // shards of the cast
    std::uint64_t files_rebuilt = 0;  // of them
    std::vector<NotRebuilt> refused;  // by shard and place
    bool cancelled = false;
};

}  // namespace assay::checkpoints

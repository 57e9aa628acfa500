// Reading the bytes of a tensor where a read that fails ends the run, and how they are brought in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "datasets/checkpoints/checkpoint.hpp"

namespace assay::runners {

// Bytes [offset, offset + length) of a tensor, valid until the buffer's next use. Throws assay::Error, naming tensor, shard
// and cause.
[[nodiscard]] std::span<const std::byte> tensor_bytes(const checkpoints::Checkpoint& checkpoint,
                                                      const checkpoints::Tensor& tensor, std::uint64_t offset,
                                                      std::uint64_t length, files::Buffer& buffer);

// Whether nearly all of a shard is in the page cache.
[[nodiscard]] bool is_in_memory(const checkpoints::Shard& shard);

// How many workers a shard's bytes take: `threads`, or several times as many where they wait for the disk, which is to have more
// than one thing to do while others compute and write. So bounded that their buffers (some 9 MiB each) stay below 300 MiB.
[[nodiscard]] unsigned workers_for(const checkpoints::Shard& shard, unsigned threads);

// From here on shards that are not in memory are read past the page cache, so that what others have there stays.
void read_past_cache(checkpoints::Checkpoint& checkpoint);

}  // namespace assay::runners

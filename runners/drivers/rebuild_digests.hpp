// Digests of a checkpoint, and of the MXFP4 source that it was cast from: every byte is read once and hashed.
//
// Shards are hashed side by side, each by one thread, in windows of 1 MiB. Nothing depends on the number of threads.
#pragma once

#include <optional>

#include "datasets/checkpoints/rebuilt_digests.hpp"
#include "datasets/checkpoints/rebuilt_source.hpp"
#include "harness/cancel.hpp"
#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

struct DigestOptions {
    unsigned threads = 1;
    const Cancel* cancel = nullptr;
    WalkProgress* progress = nullptr;
};

// sha256 of the files and tensors of a checkpoint as it is, and its fingerprint. Nothing where it was cancelled. Throws
// assay::Error where a file is missing, has faults of its header, or cannot be read.
[[nodiscard]] std::optional<checkpoints::DigestList> digest_checkpoint(const checkpoints::Checkpoint& checkpoint,
                                                                       const DigestOptions& options);

// The same of the source that `shards` plan.
[[nodiscard]] checkpoints::RebuiltDigests digest_rebuilt_source(const checkpoints::Opened& cast,
                                                                const std::vector<checkpoints::RebuiltShard>& shards,
                                                                const DigestOptions& options);

}  // namespace assay::runners

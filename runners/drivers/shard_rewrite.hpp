// Shard rewrite: one shard of a source becomes the shard of the cast, written whole or not at all.
//
// Weights and tensors are read in the order of the source's file by several threads and written where the header, which is
// known before, puts them. Memory is bounded by windows of 4 MiB a thread, whatever the size of tensors. What comes out
// does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/cast/record.hpp"
#include "harness/cancel.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/cast_scales.hpp"

namespace assay::runners {

struct RewriteOptions {
    unsigned threads = 1;
    bool allow_inexact = false;
    const Cancel* cancel = nullptr;
    WalkProgress* progress = nullptr;  // counts bytes of the source
};

// Writes `folder`/NAME for the shard `number` of the plan's source, and returns its record; nothing where it was cancelled,
// and then no file is there. Throws assay::Error where a block cannot be exact and allow_inexact is not set
// (naming the first such blocks; no file is left), where reading or writing fails, and where the source's file changed
// meanwhile.
[[nodiscard]] std::optional<cast::ShardRecord> rewrite_shard(const cast::CastPlan& plan, CastScales& scales,
                                                             std::uint32_t number, const std::string& folder,
                                                             const RewriteOptions& options);

// What tells whether a file changed. Throws assay::Error where it is not there.
[[nodiscard]] cast::FileIdentity identify(const std::string& path);

}  // namespace assay::runners

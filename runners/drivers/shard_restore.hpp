// Shard restore: one shard of the MXFP4 source again, from the cast and what its record keeps.
#pragma once

#include <string>

#include "datasets/cast/reverse_plan.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

// Writes `folder`/NAME; false where it was cancelled. Throws assay::Error, naming tensor, row and block, where a scale cannot
// have come from a cast and no record tells what it was, and where bytes that were restored are not those that the record has
// the digest of.
[[nodiscard]] bool restore_shard(const checkpoints::Opened& cast, const cast::ReversePlan& plan,
                                 const cast::UndoneShard& shard, const std::string& folder,
                                 const RewriteOptions& options);

}  // namespace assay::runners

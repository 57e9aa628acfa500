// Reverse run: a cast becomes the MXFP4 checkpoint it was made from.
#pragma once

#include <string>

#include "datasets/cast/summary.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

// Throws assay::Error as restore_shard and CastFolder do.
[[nodiscard]] cast::ReverseSummary run_reverse(const std::string& source, const std::string& target,
                                         const RewriteOptions& options);

}  // namespace assay::runners

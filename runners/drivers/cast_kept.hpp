// Shards that an earlier start of a cast finished.
#pragma once

#include <cstdint>
#include <string>

#include "datasets/cast/plan.hpp"
#include "datasets/cast/record.hpp"

namespace assay::runners {

// Whether the file at `path` is the shard that its record tells of: by size and time of its last change, and where it was
// copied or touched since, by header and digests of its tensors.
[[nodiscard]] bool is_kept(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path,
                           const cast::ShardRecord& record);

}  // namespace assay::runners

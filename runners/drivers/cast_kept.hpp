// Shards that an earlier start of a cast finished.
#pragma once

#include <cstdint>
#include <string>

#include "datasets/cast/plan.hpp"
#include "datasets/cast/record.hpp"

namespace assay::runners {

// Whether the file at `path` is the shard that its record tells of: by size and times of its last change, and where it was
// copied, touched or replaced since, by header and digests of its tensors.
[[nodiscard]] bool is_kept(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path,
                           const cast::ShardRecord& record);

// The same of the shard of the source that it was made from.
[[nodiscard]] bool is_source_of(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path,
                                const cast::ShardRecord& record);

}  // namespace assay::runners

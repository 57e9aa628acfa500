// Shards that an earlier start of a cast finished.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/cast/plan.hpp"
#include "datasets/cast/record.hpp"
#include "harness/cancel.hpp"

namespace assay::runners {

// Whether the file at `path` is the shard that its record tells of: by size and times of its last change, and where it was
// copied, touched or replaced since, by header and digests of its tensors. Nothing where `cancel` was raised while it was read.
[[nodiscard]] std::optional<bool> is_kept(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path,
                                          const cast::ShardRecord& record, const Cancel* cancel);

// The same of the shard of the source that it was made from.
[[nodiscard]] std::optional<bool> is_source_of(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path,
                                               const cast::ShardRecord& record, const Cancel* cancel);

}  // namespace assay::runners

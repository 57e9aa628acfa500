// Verification of a cast: the audit's block walk over what was written, shard by shard.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/cast/record.hpp"
#include "runners/drivers/block_walk.hpp"
#include "scorers/bit_exact/pair_audit.hpp"
#include "scorers/rules/finding.hpp"

namespace assay::runners {

// Compares two safetensors files, read anew, weight by weight and tensor by tensor. Nothing where weights of the source's
// are split over several files, so that one file alone says too little.
[[nodiscard]] std::optional<bit_exact::PairAudit> audit_shard(const std::string& source, const std::string& target,
                                                              const WalkOptions& options);

// Every block exact but for those that the record says are not, every copied tensor identical, everything read; else one
// line that says what differs first.
[[nodiscard]] std::string first_fault(const bit_exact::PairAudit& audit, const cast::ShardCounts& counts);

// A shard of the source, and what was made of it.
struct ShardFiles {
    std::string source;  // paths
    std::string target;
};

// The rules of the audit over `target`, the folder of the cast, and names and shapes against the source; no block is read.
// Names of both sides are in memory for one shard at a time, unless weights of the source are split over several.
[[nodiscard]] std::vector<rules::Finding> audit_whole(const std::string& source, const std::string& target,
                                                      const std::vector<ShardFiles>& shards);

[[nodiscard]] cast::Verified verified(const bit_exact::PairAudit& audit);

}  // namespace assay::runners

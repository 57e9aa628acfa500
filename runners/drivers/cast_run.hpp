// Cast run: SOURCE becomes DEST, shard after shard.
#pragma once

#include <string>

#include "datasets/cast/summary.hpp"
#include "harness/ranks/ranks.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

struct CastRun {
    std::string source;
    std::string target;
    cast::CastOptions options;
    RewriteOptions rewrite;
    bool verify = false;
    bool digests = false;       // SHA-256 of shards, too
    bool fix_modeling = false;
    std::string version;        // of the program
    ranks::Ranks* ranks = nullptr;  // those that share the work; this process alone where null
};

// What would be written, from headers alone.
[[nodiscard]] cast::CastSummary plan_cast(const CastRun& run);

// Writes it. Shards that an earlier start finished are checked and kept. Throws assay::Error for what stops it; what is on
// disk then is whole, and the same call goes on from there. Every rank calls it; the summary is whole on the first.
[[nodiscard]] cast::CastSummary run_cast(const CastRun& run);

}  // namespace assay::runners

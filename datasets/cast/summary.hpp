// CastSummary: what a cast came to, for reports and for the head of assay-cast.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/cast/plan.hpp"
#include "datasets/cast/record.hpp"

namespace assay::cast {

struct CastSummary {
    std::string source;  // folder
    std::string target;
    std::string source_layouts;  // "compressed-tensors MXFP4"
    CastOptions options;
    std::uint64_t shards = 0;
    std::uint64_t shards_kept = 0;  // of an earlier start
    CastTotals totals;
    ShardCounts counts;
    std::optional<Verified> verified;
    std::vector<std::string> listed;   // blocks that changed, the first of them, in one line each
    std::vector<std::string> notes;    // what the user should know, in one line each
    // Of the audit of the whole, where it was verified: findings by severity, and each in one line.
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;
    std::uint64_t findings_noted = 0;
    std::vector<std::string> findings;
    std::string source_fingerprint;
    std::string target_fingerprint;
    std::string modeling_diff;  // of --fix-modeling; empty where nothing was changed
    // Shards that an earlier start had in hand when it ended, and who had them: they were begun anew. Not in assay-cast.json,
    // which is the same whatever happened on the way.
    std::vector<std::string> taken_up;
    bool cancelled = false;
};

// What going back came to.
struct ReverseSummary {
    std::string source;  // the cast
    std::string target;
    bool recorded = false;  // by assay-cast.json; every tensor then came out with the digest it had
    std::uint64_t shards = 0;
    std::uint64_t shards_kept = 0;
    std::uint64_t tensors = 0;
    std::uint64_t total_size = 0;
    std::uint64_t changed_blocks = 0;  // put back from the record
    std::vector<std::string> notes;
    bool cancelled = false;
};

// The members of assay-cast.json before "shards", without braces: "format": .., "plan": .., ...
[[nodiscard]] std::string summary_members(const CastSummary& summary);

}  // namespace assay::cast

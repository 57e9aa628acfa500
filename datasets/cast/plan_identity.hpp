// PlanIdentity: what has to be the same for a cast to go on where it was stopped.
//
//     {"format": "assay.cast_plan/1", "direction": .., "dialect": .., "scale_sharing": .., "activations": .., "quant_algo": ..,
//      "shards": [{"file": .., "bytes": .., "modified_ns": ..}, ..]}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/cast/options.hpp"
#include "datasets/cast/record.hpp"

namespace assay::cast {

struct PlanIdentity {
    bool reverse = false;
    CastOptions options;
    struct Shard {
        std::string file;
        FileIdentity identity;
    };
    std::vector<Shard> shards;  // of the source, in their order
};

[[nodiscard]] std::string to_json(const PlanIdentity& identity);
// Throws assay::Error, naming `where`, for anything else.
[[nodiscard]] PlanIdentity parse_plan_identity(std::string_view json, const std::string& where);

// The first thing that differs, for a message: "--scale-sharing was pair and is tensor"; empty where nothing does.
[[nodiscard]] std::string first_difference(const PlanIdentity& before, const PlanIdentity& now);

}  // namespace assay::cast

#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_shards(const RuleInput& input, std::vector<Finding>& findings) {
    for (const checkpoints::Shard& shard : input.opened.checkpoint.shards) {
        if (!shard.present) {
            findings.push_back({"shard.missing",
                                Severity::error,
                                shard.file,
                                {},
                                {},
                                {},
                                shard.trouble,
                                "no server can load the checkpoint"});
        } else if (!shard.indexed) {
            findings.push_back(
                {"shard.missing",
                 Severity::warning,
                 shard.file,
                 {},
                 {},
                 {},
                 "the index does not name this file",
                 "loaders that take every .safetensors file read its tensors too, over those of the index"});
        }
    }
}

}  // namespace assay::rules

#include <fmt/format.h>

#include <map>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_shards(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    std::map<std::string_view, std::uint64_t> indexed;
    if (checkpoint.index) {
        for (const checkpoints::IndexEntry& entry : checkpoint.index->entries)
            ++indexed[checkpoint.index->files[entry.file]];
    }
    for (const checkpoints::Shard& shard : checkpoint.shards) {
        if (!shard.present) {
            findings.push_back({"shard.missing",
                                Severity::error,
                                shard.file,
                                {},
                                {},
                                {},
                                fmt::format("{}; {} places {} tensor{} in it", shard.trouble,
                                            checkpoint.index ? checkpoint.index->file : "no index", indexed[shard.file],
                                            indexed[shard.file] == 1 ? "" : "s"),
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

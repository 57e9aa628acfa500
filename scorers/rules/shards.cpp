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
        if (shard.present && shard.indexed) continue;
        const auto say = [&](Severity severity, std::string message, std::string consequence) {
            findings.push_back(
                {"shard.missing", severity, shard.file, {}, {}, {}, std::move(message), std::move(consequence)});
        };
        if (shard.present) {
            say(Severity::warning, "the index does not name this file",
                "loaders that take every .safetensors file read its tensors too, over those of the index");
        } else if (!shard.indexed) {
            say(Severity::warning, shard.trouble + "; the index does not name it",
                "loaders that take every .safetensors file fail on it");
        } else if (checkpoint.index) {
            const std::uint64_t lost = indexed[shard.file];
            say(Severity::error,
                fmt::format("{}; {} places {} tensor{} in it", shard.trouble, checkpoint.index->file, lost,
                            lost == 1 ? "" : "s"),
                "no server can load the checkpoint");
        } else {
            say(Severity::error, shard.trouble, "no server can load the checkpoint");
        }
    }
}

}  // namespace assay::rules

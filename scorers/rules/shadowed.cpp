#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_shadowed(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    for (const checkpoints::Shadowed& one : checkpoint.shadowed) {
        findings.push_back({"tensor.shadowed",
                            Severity::error,
                            checkpoint.shards[one.tensor.shard].file,
                            one.tensor.name,
                            {},
                            {},
                            fmt::format("stands in {} too", checkpoint.shards[one.kept_in].file),
                            "servers that read whole files keep whichever comes last, not the one the index names"});
    }
    for (const checkpoints::Tensor& tensor : checkpoint.unindexed) {
        const checkpoints::Tensor* const indexed = checkpoint.find(tensor.name);
        if (indexed == nullptr) continue;
        findings.push_back({"tensor.shadowed",
                            Severity::error,
                            checkpoint.shards[tensor.shard].file,
                            tensor.name,
                            {},
                            {},
                            fmt::format("stands in {} too, and the index does not name this file",
                                        checkpoint.shards[indexed->shard].file),
                            "loaders that take every .safetensors file may keep this one"});
    }
}

}  // namespace assay::rules

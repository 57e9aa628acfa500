#include <fmt/format.h>

#include <algorithm>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_total_size(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.index) return;
    const auto say = [&](std::string message) {
        findings.push_back(
            {"index.total_size",
             Severity::warning,
             checkpoint.index->file,
             {},
             {},
             {},
             std::move(message),
             "tools that plan memory or check downloads by it go wrong; servers load the weights all the same"});
    };
    // What is missing has findings of its own, and its size is not known.
    const bool whole = std::all_of(checkpoint.shards.begin(), checkpoint.shards.end(), [](const auto& shard) {
        return !shard.indexed || (shard.present && shard.header_bytes != 0);
    });
    if (!whole) return;
    std::uint64_t bytes = 0;
    for (const checkpoints::Tensor& tensor : checkpoint.tensors) bytes += tensor.bytes();
    if (!checkpoint.index->total_size) return say("metadata.total_size is missing");
    if (*checkpoint.index->total_size != bytes)
        say(fmt::format("metadata.total_size is {}, but the tensors have {} bytes", *checkpoint.index->total_size,
                        bytes));
}

}  // namespace assay::rules

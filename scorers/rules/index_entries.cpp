#include <fmt/format.h>

#include <algorithm>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

bool header_has(const Checkpoint& checkpoint, const std::string& tensor, const std::string& file) {
    const Tensor* const found = checkpoint.find(tensor);
    if (found != nullptr && checkpoint.shards[found->shard].file == file) return true;
    return std::any_of(checkpoint.shadowed.begin(), checkpoint.shadowed.end(), [&](const Shadowed& one) {
        return one.tensor.name == tensor && checkpoint.shards[one.tensor.shard].file == file;
    });
}

}  // namespace

void check_index_entries(const RuleInput& input, std::vector<Finding>& findings) {
    const Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.index) return;
    const Index& index = *checkpoint.index;
    for (const std::string& fault : index.faults)
        findings.push_back({"index.entry",
                            Severity::error,
                            index.file,
                            {},
                            {},
                            {},
                            fault,
                            "loaders fail on the index, or skip the entry"});
    for (const std::string& name : index.duplicates)
        findings.push_back({"index.entry",
                            Severity::error,
                            index.file,
                            name,
                            {},
                            {},
                            "stands in the index twice",
                            "readers keep the last and say nothing"});
    for (const IndexEntry& entry : index.entries) {
        const std::string& file = index.files[entry.file];
        if (header_has(checkpoint, entry.tensor, file)) continue;
        const Tensor* const elsewhere = checkpoint.find(entry.tensor);
        findings.push_back({"index.entry",
                            Severity::error,
                            file,
                            entry.tensor,
                            {},
                            {},
                            elsewhere == nullptr ? std::string("the index names it in this file, whose header does not")
                                                 : fmt::format("the index names it in this file, but it stands in {}",
                                                               checkpoint.shards[elsewhere->shard].file),
                            "a loader that follows the index does not find it"});
    }
    for (const Tensor& tensor : checkpoint.tensors) {
        if (find_entry(index, tensor.name) == nullptr) {
            findings.push_back({"index.entry",
                                Severity::warning,
                                checkpoint.shards[tensor.shard].file,
                                tensor.name,
                                {},
                                {},
                                "the header has it and the index does not",
                                "servers that read whole files load it, others do not"});
        }
    }
}

}  // namespace assay::rules

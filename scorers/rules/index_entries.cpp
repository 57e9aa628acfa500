#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

// Files whose headers cannot tell what they hold; each has a finding of its own.
std::set<std::string_view> unread_files(const Checkpoint& checkpoint) {
    std::set<std::string_view> files;
    for (const Shard& shard : checkpoint.shards) {
        if (!shard.present || shard.header_bytes == 0) files.insert(shard.file);
    }
    return files;
}

// (tensor, file) of those that another hides.
std::set<std::pair<std::string_view, std::string_view>> shadowed_in(const Checkpoint& checkpoint) {
    std::set<std::pair<std::string_view, std::string_view>> names;
    for (const Shadowed& one : checkpoint.shadowed)
        names.emplace(one.tensor.name, checkpoint.shards[one.tensor.shard].file);
    return names;
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
    const auto unread = unread_files(checkpoint);
    const auto shadowed = shadowed_in(checkpoint);
    for (const IndexEntry& entry : index.entries) {
        const std::string& file = index.files[entry.file];
        const Tensor* const elsewhere = checkpoint.find(entry.tensor);
        const bool there = elsewhere != nullptr && checkpoint.shards[elsewhere->shard].file == file;
        if (there || unread.contains(file) || shadowed.contains({entry.tensor, file})) continue;
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

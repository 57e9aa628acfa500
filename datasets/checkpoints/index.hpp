// Index: what model.safetensors.index.json says, tensor by tensor.
//
//     {"metadata": {"total_size": 1560860324864}, "weight_map": {"name": "model-00001-of-000096.safetensors"}}
//
// total_size counts the bytes of all tensors, headers excluded. Source: huggingface_hub and transformers, which
// write it; there is no specification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::checkpoints {

struct IndexEntry {
    std::string tensor;
    std::uint32_t file = 0;  // into Index::files
};

struct Index {
    std::string file;                     // name of the index in the checkpoint's folder
    std::vector<std::string> files;       // distinct, in the order of their first mention
    std::vector<IndexEntry> entries;      // by tensor name; of a name given twice the last one
    std::vector<std::string> duplicates;  // names given twice
    std::optional<std::uint64_t> total_size;
    std::vector<std::string> faults;  // what else is not as it should be: "metadata.total_size is text"
};

// The entry of a tensor, or null.
[[nodiscard]] const IndexEntry* find_entry(const Index& index, std::string_view tensor) noexcept;

// `file` is its name, for messages. Throws assay::Error where it is no JSON or has no weight_map.
[[nodiscard]] Index parse_index(std::string_view json, const std::string& file);

}  // namespace assay::checkpoints

// What lies beside the shards of a cast: files carried over as they are, configs, the index.
#pragma once

#include <string>
#include <vector>

#include "datasets/cast/plan.hpp"

namespace assay::runners {

// Where the originals of files that a cast replaces are kept, below its folder.
inline constexpr const char* originals_folder = "assay-cast.source";

struct CarriedFiles {
    std::vector<std::string> carried;  // relative paths, sorted
    std::vector<std::string> left_out;
};

// Files of the source besides its shards, its index, and what a cast writes itself: text, code, tokenizer, in subfolders too.
// Left out are weights that the index does not name, in any format, and what version control and caches keep.
[[nodiscard]] CarriedFiles carried_files(const checkpoints::Checkpoint& source);

// Copies them, each as a whole; bytes only, no links.
void carry_files(const std::string& source, const std::string& target, const std::vector<std::string>& files);

// Writes the index of `tensors`, which are sorted by name, whose `shard` is an index into `shards`.
void write_index(const std::string& path, const std::vector<checkpoints::Tensor>& tensors,
                 const std::vector<checkpoints::Shard>& shards, std::uint64_t total_size);

}  // namespace assay::runners

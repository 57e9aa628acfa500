// LfsPointer: the few lines that Git LFS leaves where it has not fetched the file.
//
//     version https://git-lfs.github.com/spec/v1
//     oid sha256:4d7a...
//     size 16990911504
//
// Source: git-lfs, docs/spec.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::checkpoints {

struct LfsPointer {
    std::string oid;         // "sha256:" and 64 hexadecimal digits
    std::uint64_t size = 0;  // bytes of the file it stands for
};

inline constexpr std::size_t largest_lfs_pointer = 1024;

// Nothing where the text is no pointer.
[[nodiscard]] std::optional<LfsPointer> parse_lfs_pointer(std::string_view text);

}  // namespace assay::checkpoints

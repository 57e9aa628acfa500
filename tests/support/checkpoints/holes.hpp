// Checkpoints of zeros, none of them on disk, that take a while to read.
#pragma once

#include <cstdint>
#include <string>

namespace assay::support {

inline constexpr std::uint64_t hole_bytes = std::uint64_t{8} << 20;  // of each tensor

// One file of so many tensors of bytes, named in their order. Gives where their data begin.
std::uint64_t write_holes(const std::string& path, std::uint64_t tensors);

}  // namespace assay::support

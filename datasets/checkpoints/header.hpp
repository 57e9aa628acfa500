// Header: what a safetensors file says it holds.
//
//   0        8            8 + N                          end of file
//   +--------+------------+------------------------------+
//   | N, u64 | N bytes    | data: tensors back to back,  |
//   | LE     | of JSON    | no holes, fully covered      |
//   +--------+------------+------------------------------+
//
// JSON: {"name":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}, "__metadata__":{"text":"text"}}, offsets from
// the end of the header. Source: safetensors 0.8, README "Format"; limits as in its reader.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/checkpoints/header_fault.hpp"
#include "datasets/checkpoints/tensor.hpp"
#include "harness/files/byte_reader.hpp"

namespace assay::checkpoints {

inline constexpr std::uint64_t largest_header = 100'000'000;

struct Header {
    std::uint64_t length = 0;                     // N
    std::vector<Tensor> tensors;                  // by (begin, end, name); of a duplicate name only the last entry
    std::map<std::string, std::string> metadata;  // __metadata__
    std::vector<HeaderFault> faults;              // by check, then file order; at most `most_faults` of them
    std::uint64_t fault_count = 0;                // all of them
    // True where the JSON could be read, so that `tensors` is what it says; faults of offsets leave it true.
    bool readable = false;
    // Entries that could not be read as tensors. Bytes that they may have covered are neither holes nor trailing.
    std::uint64_t unread_entries = 0;

    static constexpr std::size_t most_faults = 100;
};

// Reads the header of a file. Whatever the bytes, it returns: what is wrong is in `faults`.
// Memory: the header itself and about 250 bytes a tensor; time is linear but for one sort.
[[nodiscard]] Header read_header(const files::ByteReader& file);

// The same for bytes in memory: `json` is the N bytes, `file_size` the size of the file they would stand in.
[[nodiscard]] Header parse_header(std::span<const std::byte> json, std::uint64_t file_size);

}  // namespace assay::checkpoints

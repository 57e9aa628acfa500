// Private to this folder: the steps of parse_header.
#pragma once

#include <span>

#include "datasets/checkpoints/header.hpp"

namespace assay::checkpoints {

// Adds a fault, keeping the first `Header::most_faults` and counting all.
void add_fault(Header& header, HeaderFault fault);

// Reads the JSON into `header.tensors` (in file order, duplicates included, offsets as in the header) and
// `header.metadata`; sets `readable`.
void read_header_json(std::span<const std::byte> json, Header& header);

// Checks names, shapes and offsets of what read_header_json left, moves offsets to the start of the file,
// sorts, and drops all but the last of duplicate names. `data_begin` is 8 + N.
void check_tensors(Header& header, std::uint64_t data_begin, std::uint64_t file_size);

}  // namespace assay::checkpoints

// Header text: the bytes that open a safetensors file, written before any of its data.
//
// As the reference writer has them: tensors by dtype, descending in the order of Dtype, then by name; data back to back
// from offset 0; compact JSON, padded with spaces so that data begin at a multiple of 8. Source: safetensors 0.8,
// safetensors/src/tensor.rs (prepare).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/tensor.hpp"

namespace assay::checkpoints {

// Bytes that the elements of a tensor take; bits must come to whole bytes.
[[nodiscard]] std::uint64_t bytes_needed(const Tensor& tensor) noexcept;

// The length, eight bytes little-endian, and the JSON. Sorts `tensors` into the order of the file and fills begin and
// end, which count from the start of the file as everywhere. Throws assay::Error where the header passes the format's limit.
[[nodiscard]] std::string header_text(std::vector<Tensor>& tensors, const std::map<std::string, std::string>& metadata);

}  // namespace assay::checkpoints

// StoredTensor: a tensor with its bytes, and the writer of safetensors files that tests read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/checkpoints/dtype.hpp"

namespace assay::support {

using checkpoints::Dtype;

struct StoredTensor {
    std::string name;
    Dtype dtype = Dtype::U8;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint8_t> bytes;
};

[[nodiscard]] StoredTensor bytes_tensor(std::string name, Dtype dtype, std::vector<std::uint64_t> shape,
                                        std::vector<std::uint8_t> bytes);
[[nodiscard]] StoredTensor f32_tensor(std::string name, std::vector<std::uint64_t> shape,
                                      const std::vector<float>& values);
// Bytes counted up from `first`, as many as shape and dtype need.
[[nodiscard]] StoredTensor counted_tensor(std::string name, Dtype dtype, std::vector<std::uint64_t> shape,
                                          std::uint8_t first = 0);

// Bytes that dtype and shape need.
[[nodiscard]] std::uint64_t bytes_needed(const StoredTensor& tensor);

// The header's JSON as the stock writer spells it: dtype descending, then name; compact; padded with spaces so that
// 8 + N is a multiple of 8. Sorts `tensors` into that order; sizes come from dtype and shape.
[[nodiscard]] std::string header_json(std::vector<StoredTensor>& tensors,
                                      const std::map<std::string, std::string>& metadata = {});

// A whole file: length, header, data.
[[nodiscard]] std::string safetensors_file(std::vector<StoredTensor> tensors,
                                           const std::map<std::string, std::string>& metadata = {});

// A file around a header given as text, with `data_bytes` zero bytes behind it.
[[nodiscard]] std::string file_with_header(const std::string& json, std::size_t data_bytes);

}  // namespace assay::support

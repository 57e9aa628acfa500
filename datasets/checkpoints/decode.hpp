// Decoding of stored numbers to doubles, one at a time: for showing, not for speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "datasets/checkpoints/dtype.hpp"

namespace assay::checkpoints {

// Element `index` of little-endian `bytes`. Nothing for types that are no single real number of 4, 8, 16, 32 or 64 bits
// (6-bit floats, FNUZ, complex) and for indexes past the end. 64-bit integers are rounded to the nearest double.
[[nodiscard]] std::optional<double> decode(Dtype dtype, std::span<const std::byte> bytes, std::uint64_t index);

}  // namespace assay::checkpoints

// Window: some rows of a quantized weight, seen in two checkpoints.
//
// Rows are whole and contiguous, and lie in one bank. A packed byte holds the even column in its low nibble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "datasets/checkpoints/layout.hpp"

namespace assay::bit_exact {

// How one side is stored.
struct Encoding {
    checkpoints::BlockScale block_scale{};  // e8m0 or e4m3
    checkpoints::GlobalScale global_scale{};
    unsigned block_columns = 32;  // 32 or 16
    float global = 1;             // as stored; 1 where the layout has none

    friend bool operator==(const Encoding&, const Encoding&) = default;
};

struct Side {
    Encoding encoding;
    std::span<const std::byte> payload;  // rows * columns / 2 bytes
    std::span<const std::byte> scales;   // rows * columns / block_columns bytes
};

struct Window {
    std::uint64_t first_row = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;  // a multiple of both sides' block_columns
    Side source;
    Side target;
};

}  // namespace assay::bit_exact

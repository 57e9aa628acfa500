// What a cast can be asked for.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::cast {

// How the result is named and described.
enum class Dialect : std::uint8_t {
    modelopt,            // NVIDIA Model Optimizer's tensors and configuration
    compressed_tensors,  // nvfp4-pack-quantized: weight_packed, weight_global_scale (the reciprocal)
    card,                // Model Optimizer's tensors under the configuration that published casts of Kimi-K3 carry
};

// What shares one global scale.
enum class Sharing : std::uint8_t {
    tensor,  // each weight has its own
    pair,    // weights that servers fuse: w1 and w3 of an expert
    bank,    // the same weight of all experts of a layer, pairs together
};

struct CastOptions {
    Dialect dialect = Dialect::modelopt;
    Sharing sharing = Sharing::pair;
    bool input_scales = false;  // w4a4: an input scale of 1.0 for every weight
    bool w4a16_name = false;    // quant_algo W4A16_NVFP4 instead of NVFP4

    friend bool operator==(const CastOptions&, const CastOptions&) = default;
};

// As the flags spell them: "compressed-tensors", "pair".
[[nodiscard]] std::string_view to_string(Dialect dialect) noexcept;
[[nodiscard]] std::string_view to_string(Sharing sharing) noexcept;

}  // namespace assay::cast

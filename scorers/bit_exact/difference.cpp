#include "scorers/bit_exact/difference.hpp"

namespace assay::bit_exact {

std::string_view to_string(Difference difference) noexcept {
    static constexpr std::array<std::string_view, difference_count> names{
        "negative_zero", "rescaled", "zero_scale",  "nibble",          "scale",        "nibble_and_scale",
        "global_scale",  "clamped",  "requantized", "swapped_nibbles", "shifted_rows", "transposed",
        "undefined"};
    return names[static_cast<std::size_t>(difference)];
}

}  // namespace assay::bit_exact

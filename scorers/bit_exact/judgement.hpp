// Private to the comparison: what the elements of one block came to.
#pragma once

#include <optional>

#include "scorers/bit_exact/difference.hpp"
#include "scorers/bit_exact/scale_pairs.hpp"

namespace assay::bit_exact {

// Halves are added in order: 16 elements share both sides' scales.
class Judgement {
public:
    // `element` is the first of the half.
    void begin_half(unsigned element, ScalePairs& scales, const Encoding& source, const Encoding& target, std::uint8_t source_code,
                    std::uint8_t target_code);
    void add(unsigned element, unsigned source_code, unsigned target_code);

    [[nodiscard]] bool exact() const noexcept { return values_equal && !undefined; }

    bool undefined = false;
    bool values_equal = true;
    bool codes_equal = true;
    bool scales_equal = true;
    bool out_of_range = false;
    bool served_fp32_equal = true;
    bool served_bf16_equal = true;
    double error = 0;    // largest difference of values that are not equal
    double largest = 0;  // largest magnitude of the source
    std::optional<double> factor;  // target scale / source scale, of the last half where they differ
    BlockDifference evidence;

private:
    void note(unsigned element, unsigned source_code, unsigned target_code, double source_value, double target_value);

    const ScalePair* pair_ = nullptr;
    double source_value_ = 0;  // of the scale; NaN where undefined
    double target_value_ = 0;
    float source_served_ = 0;
    float target_served_ = 0;
    std::uint8_t source_scale_ = 0;
    std::uint8_t target_scale_ = 0;
};

}  // namespace assay::bit_exact

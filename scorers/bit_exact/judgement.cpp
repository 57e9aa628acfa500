#include "scorers/bit_exact/judgement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scorers/bit_exact/served.hpp"

namespace assay::bit_exact {
namespace {

constexpr std::array<double, 16> elements{0.0,  0.5,  1.0,  1.5,  2.0,  3.0,  4.0,  6.0,
                                          -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0};

}  // namespace

void Judgement::begin_half(unsigned element, ScalePairs& scales, const Encoding& source, const Encoding& target,
                           std::uint8_t source_code, std::uint8_t target_code) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    pair_ = &scales.pair(source_code, target_code);
    source_value_ = scales.source(source_code) ? scales.source(source_code)->value : nan;
    target_value_ = scales.target(target_code) ? scales.target(target_code)->value : nan;
    source_served_ = served_scale(source, source_code);
    target_served_ = served_scale(target, target_code);
    source_scale_ = source_code;
    target_scale_ = target_code;
    if (!pair_->defined) return;
    // Stands where no value and no code will differ: the evidence is the scale.
    if (!pair_->equal && scales_equal && codes_equal && exact()) note(element, 0, 0, 0, 0);
    scales_equal = scales_equal && pair_->equal;
    out_of_range = out_of_range || pair_->out_of_range;
    if (pair_->factor) factor = pair_->factor;
}

void Judgement::add(unsigned element, unsigned a, unsigned b) {
    const double source_value = elements[a] * source_value_;
    const double target_value = elements[b] * target_value_;
    const bool equal = pair_->defined && pair_->values_equal(a, b);
    // The first element with another value is the evidence; before there is one, the first with another code.
    if (exact() && (!equal || (codes_equal && a != b))) note(element, a, b, source_value, target_value);
    const float source_served = served_fp32(a, source_served_);
    const float target_served = served_fp32(b, target_served_);
    served_fp32_equal = served_fp32_equal && source_served == target_served;
    served_bf16_equal = served_bf16_equal && rounded_to_bf16(source_served) == rounded_to_bf16(target_served);
    undefined = undefined || !pair_->defined;
    values_equal = values_equal && equal;
    codes_equal = codes_equal && a == b;
    if (!pair_->defined) return;
    if (!equal) error = std::max(error, std::fabs(source_value - target_value));
    largest = std::max(largest, std::fabs(source_value));
}

void Judgement::note(unsigned element, unsigned a, unsigned b, double source_value, double target_value) {
    evidence.element = element;
    evidence.source_code = static_cast<std::uint8_t>(a);
    evidence.target_code = static_cast<std::uint8_t>(b);
    evidence.source_scale = source_scale_;
    evidence.target_scale = target_scale_;
    evidence.source_value = source_value;
    evidence.target_value = target_value;
}

}  // namespace assay::bit_exact

#include "scorers/bit_exact/scale_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::bit_exact {

using checkpoints::BlockScale;
using checkpoints::exact;
using checkpoints::Exact;
using checkpoints::GlobalScale;

ScalePairs::Scales ScalePairs::scales_of(const Encoding& encoding) {
    Scales scales;
    const double global = encoding.global;
    const bool divides = encoding.global_scale == GlobalScale::divisor;
    if (!std::isfinite(global) || (divides && global == 0)) return scales;
    const Exact one{1, 0};
    for (unsigned code = 0; code < 256; ++code) {
        const auto byte = static_cast<std::uint8_t>(code);
        const double block =
            encoding.block_scale == BlockScale::e8m0 ? checkpoints::e8m0_value(byte) : checkpoints::e4m3_value(byte);
        if (!std::isfinite(block)) continue;
        if (divides) {
            scales[code] = ExactScale{exact(block), exact(global), block / global};
        } else {
            scales[code] = ExactScale{exact(block) * exact(global), one, block * global};
        }
    }
    return scales;
}

void ScalePairs::prepare(const Encoding& source, const Encoding& target) {
    if (source_encoding_ == source && target_encoding_ == target) return;
    source_encoding_ = source;
    target_encoding_ = target;
    source_ = scales_of(source);
    target_ = scales_of(target);
    known_.reset();
    find_matches();
}

// Two scales are equal where numerators times the other's denominators are.
void ScalePairs::find_matches() {
    match_.fill(no_match);
    // The rounded values tell most pairs apart at once.
    std::vector<std::pair<double, unsigned>> by_value;
    for (unsigned t = 0; t < 256; ++t) {
        if (target_[t]) by_value.emplace_back(target_[t]->value, t);
    }
    std::sort(by_value.begin(), by_value.end());
    for (unsigned s = 0; s < 256; ++s) {
        const auto& source = source_[s];
        if (!source || source->numerator.significand == 0) continue;
        auto near = std::lower_bound(by_value.begin(), by_value.end(), std::pair(source->value, 0U));
        for (; near != by_value.end() && near->first == source->value; ++near) {
            const ExactScale& target = *target_[near->second];
            if (source->numerator * target.denominator == target.numerator * source->denominator)
                match_[s] = near->second;
        }
    }
    line_ = longest_line(match_);
}

const ScalePair& ScalePairs::pair(std::uint8_t source, std::uint8_t target) {
    const std::size_t at = std::size_t{source} * 256 + target;
    if (!known_[at]) {
        if (pairs_.empty()) pairs_.resize(65536);
        pairs_[at] = worked_out(source, target);
        known_[at] = true;
    }
    return pairs_[at];
}

ScalePair ScalePairs::worked_out(std::uint8_t source_code, std::uint8_t target_code) const {
    ScalePair made;
    const auto& source = source_[source_code];
    const auto& target = target_[target_code];
    if (!source || !target) return made;
    made.defined = true;
    const Exact left = source->numerator * target->denominator;
    const Exact right = target->numerator * source->denominator;
    made.equal = left == right;
    if (!made.equal && source->value != 0) made.factor = target->value / source->value;
    if (source_encoding_->block_scale == BlockScale::e8m0 && target_encoding_->block_scale == BlockScale::e4m3) {
        const bool low = target_code <= 1 && source->value < target->value;
        const bool flushed = target_code == 0 && source->value > 0;
        const bool high = target_code == 0x7e && source->value > target->value;
        made.out_of_range = low || flushed || high;
    }
    for (unsigned i = 0; i < 8; ++i) {
        const Exact a = exact(checkpoints::e2m1_value(i)) * left;
        for (unsigned j = 0; j < 8; ++j) {
            const Exact b = exact(checkpoints::e2m1_value(j)) * right;
            const auto bit = static_cast<std::uint8_t>(1U << j);
            if (a == b) made.same_sign[i] |= bit;
            if (a == Exact{-b.significand, b.exponent}) made.opposite_sign[i] |= bit;
        }
    }
    return made;
}

}  // namespace assay::bit_exact

#include "scorers/bit_exact/comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace assay::bit_exact {
namespace {

using checkpoints::BlockScale;
using checkpoints::exact;
using checkpoints::Exact;
using checkpoints::GlobalScale;

unsigned code_at(std::span<const std::byte> payload, std::uint64_t element) {
    return static_cast<unsigned>(payload[element / 2]) >> (element % 2 * 4) & 15U;
}

std::uint8_t byte_at(std::span<const std::byte> bytes, std::uint64_t index) {
    return static_cast<std::uint8_t>(bytes[index]);
}

// Magnitudes as odd integers times powers of two, so that products compare field by field.
const std::array<Exact, 8>& magnitudes() {
    static const std::array<Exact, 8> table = [] {
        std::array<Exact, 8> made{};
        for (unsigned i = 0; i < made.size(); ++i) made[i] = exact(checkpoints::e2m1_value(i));
        return made;
    }();
    return table;
}

Exact signed_by(Exact value, unsigned code) {
    if ((code & 8U) != 0) value.significand = -value.significand;
    return value;
}

bool is_power_of_two(float value) {
    int exponent = 0;
    return std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5F;
}

// What the elements of one block came to, half by half: 16 elements share both sides' scales.
class Judgement {
public:
    explicit Judgement(bool may_clamp) : may_clamp_(may_clamp) {}

    void begin_half(unsigned element, const std::optional<ExactScale>& source, const std::optional<ExactScale>& target,
                    std::uint8_t source_code, std::uint8_t target_code) {
        source_ = source ? &*source : nullptr;
        target_ = target ? &*target : nullptr;
        source_scale_ = source_code;
        target_scale_ = target_code;
        if (source_ == nullptr || target_ == nullptr) return;
        left_ = source_->numerator * target_->denominator;
        right_ = target_->numerator * source_->denominator;
        const bool same = left_ == right_;
        // Stands where no value and no code will differ: the evidence is the scale.
        if (!same && scales_equal && codes_equal && exact()) note(element, 0, 0, 0, 0);
        scales_equal = scales_equal && same;
        if (!same && source_->value != 0) {
            has_factor = true;
            factor = target_->value / source_->value;
        }
        // The end of E4M3's range stands where something beyond it was needed.
        const bool low = target_code <= 1 && source_->value < target_->value;
        const bool flushed = target_code == 0 && source_->value > 0;
        const bool high = target_code == 0x7e && source_->value > target_->value;
        out_of_range = out_of_range || (may_clamp_ && (low || flushed || high));
    }

    void add(unsigned element, unsigned a, unsigned b) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        const double source_value = source_ != nullptr ? checkpoints::e2m1_value(a) * source_->value : nan;
        const double target_value = target_ != nullptr ? checkpoints::e2m1_value(b) * target_->value : nan;
        const bool defined = source_ != nullptr && target_ != nullptr;
        const bool equal =
            defined && signed_by(magnitudes()[a & 7U], a) * left_ == signed_by(magnitudes()[b & 7U], b) * right_;
        // The first element with another value is the evidence; before there is one, the first with another code.
        if (exact() && (!equal || (codes_equal && a != b))) note(element, a, b, source_value, target_value);
        undefined = undefined || !defined;
        values_equal = values_equal && equal;
        codes_equal = codes_equal && a == b;
        if (!defined) return;
        if (!equal) error = std::max(error, std::fabs(source_value - target_value));
        largest = std::max(largest, std::fabs(source_value));
    }

    [[nodiscard]] bool exact() const { return values_equal && !undefined; }

    bool undefined = false;
    bool values_equal = true;
    bool codes_equal = true;
    bool scales_equal = true;
    bool out_of_range = false;
    double error = 0;
    double largest = 0;
    bool has_factor = false;
    double factor = 1;  // target scale / source scale, of the last half where they differ
    BlockDifference evidence;

private:
    void note(unsigned element, unsigned a, unsigned b, double source_value, double target_value) {
        evidence.element = element;
        evidence.source_code = static_cast<std::uint8_t>(a);
        evidence.target_code = static_cast<std::uint8_t>(b);
        evidence.source_scale = source_scale_;
        evidence.target_scale = target_scale_;
        evidence.source_value = source_value;
        evidence.target_value = target_value;
    }

    bool may_clamp_;
    const ExactScale* source_ = nullptr;  // null where undefined
    const ExactScale* target_ = nullptr;
    std::uint8_t source_scale_ = 0;
    std::uint8_t target_scale_ = 0;
    Exact left_;   // source scale, cross-multiplied
    Exact right_;  // target scale
};

std::size_t error_bin(double error, double largest) {
    if (largest == 0) return 0;
    const double ratio = error / largest;
    std::size_t bin = 0;
    for (double edge = 0.5; bin + 1 < error_bins && ratio < edge; edge /= 2) ++bin;
    return bin;
}

}  // namespace

Comparison::Scales Comparison::scales_of(const Encoding& encoding) {
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

void Comparison::prepare(const Encoding& source, const Encoding& target) {
    if (source_ == source && target_ == target) return;
    source_ = source;
    target_ = target;
    source_scales_ = scales_of(source);
    target_scales_ = scales_of(target);
    requantized_ = source.block_scale == BlockScale::e8m0 && target.global_scale != GlobalScale::none &&
                   !is_power_of_two(target.global);
    find_matches();
}

// Two scales are equal where numerators times the other's denominators are. Zero has two codes and so no match.
void Comparison::find_matches() {
    match_.fill(-1);
    for (unsigned s = 0; s < 256; ++s) {
        const auto& source = source_scales_[s];
        if (!source || source->numerator.significand == 0) continue;
        for (unsigned t = 0; t < 256; ++t) {
            const auto& target = target_scales_[t];
            // The rounded values tell most pairs apart at once.
            if (!target || target->value != source->value) continue;
            if (source->numerator * target->denominator == target->numerator * source->denominator)
                match_[s] = static_cast<std::int16_t>(t);
        }
    }
}

void Comparison::add(const Window& window) {
    assert(window.source.payload.size() == window.rows * window.columns / 2);
    assert(window.target.payload.size() == window.source.payload.size());
    assert(window.source.scales.size() == window.rows * window.columns / window.source.encoding.block_columns);
    assert(window.target.scales.size() == window.rows * window.columns / window.target.encoding.block_columns);
    prepare(window.source.encoding, window.target.encoding);
    const std::uint64_t blocks = window.columns / window.source.encoding.block_columns;
    for (std::uint64_t row = 0; row < window.rows; ++row) {
        if (row_is_equal(window, row)) {
            tally_.blocks += blocks;
            tally_.exact += blocks;
            tally_.payload_equal += blocks;
        } else {
            judge_row(window, row);
        }
    }
}

// Equal bytes under equal scales: the case that a good conversion is made of.
bool Comparison::row_is_equal(const Window& window, std::uint64_t row) const {
    const std::uint64_t bytes = window.columns / 2;
    if (std::memcmp(window.source.payload.data() + row * bytes, window.target.payload.data() + row * bytes, bytes) != 0)
        return false;
    const unsigned source_width = window.source.encoding.block_columns;
    const unsigned target_width = window.target.encoding.block_columns;
    const std::byte* const source = window.source.scales.data() + row * (window.columns / source_width);
    const std::byte* const target = window.target.scales.data() + row * (window.columns / target_width);
    int different = 0;
    if (source_width == 32 && target_width == 16) {
        for (std::uint64_t i = 0; i < window.columns / 32; ++i) {
            const int wanted = match_[static_cast<std::uint8_t>(source[i])];
            different |= (wanted ^ static_cast<int>(target[2 * i])) | (wanted ^ static_cast<int>(target[2 * i + 1]));
        }
    } else if (source_width == target_width) {
        for (std::uint64_t i = 0; i < window.columns / source_width; ++i)
            different |= match_[static_cast<std::uint8_t>(source[i])] ^ static_cast<int>(target[i]);
    } else {
        for (std::uint64_t i = 0; i < window.columns / 16; ++i)
            different |= match_[static_cast<std::uint8_t>(source[i])] ^ static_cast<int>(target[i / 2]);
    }
    return different == 0;
}

void Comparison::judge_row(const Window& window, std::uint64_t row) {
    const std::uint64_t blocks = window.columns / window.source.encoding.block_columns;
    for (std::uint64_t block = 0; block < blocks; ++block) judge_block(window, row, block);
}

void Comparison::judge_block(const Window& window, std::uint64_t row, std::uint64_t block) {
    const unsigned source_width = window.source.encoding.block_columns;
    const unsigned target_width = window.target.encoding.block_columns;
    const std::uint64_t first = row * window.columns + block * source_width;
    Judgement judged(window.target.encoding.block_scale == BlockScale::e4m3 &&
                     window.source.encoding.block_scale == BlockScale::e8m0);
    judged.evidence.row = window.first_row + row;
    judged.evidence.block = block;
    for (unsigned i = 0; i < source_width; ++i) {
        const std::uint64_t element = first + i;
        if (i % 16 == 0) {
            const std::uint8_t source = byte_at(window.source.scales, element / source_width);
            const std::uint8_t target = byte_at(window.target.scales, element / target_width);
            judged.begin_half(i, source_scales_[source], target_scales_[target], source, target);
        }
        judged.add(i, code_at(window.source.payload, element), code_at(window.target.payload, element));
    }
    ++tally_.blocks;
    tally_.payload_equal += judged.codes_equal ? 1 : 0;
    tally_.exact += judged.exact() ? 1 : 0;
    if (judged.exact() && judged.codes_equal && judged.scales_equal) return;
    BlockDifference& evidence = judged.evidence;
    if (judged.undefined) {
        evidence.kind = Difference::undefined;
    } else if (judged.exact()) {
        evidence.kind = judged.scales_equal  ? Difference::negative_zero
                        : judged.codes_equal ? Difference::zero_scale
                                             : Difference::rescaled;
    } else {
        evidence.kind = classify(window, row, block, judged.codes_equal, judged.scales_equal, judged.out_of_range);
        tally_.max_abs_err = std::max(tally_.max_abs_err, judged.error);
        ++tally_.errors[error_bin(judged.error, judged.largest)];
    }
    if (judged.codes_equal && !judged.exact() && !judged.undefined && judged.has_factor) note_factor(judged.factor);
    ++tally_.differences[static_cast<std::size_t>(evidence.kind)];
    if (differences_.size() < most_) differences_.push_back(evidence);
}

void Comparison::note_factor(double factor) {
    if (tally_.scale_factor && *tally_.scale_factor != factor) tally_.mixed_factors = true;
    if (!tally_.scale_factor) tally_.scale_factor = factor;
}

Difference Comparison::classify(const Window& window, std::uint64_t row, std::uint64_t block, bool payload_equal,
                                bool scales_equal, bool out_of_range) const {
    if (requantized_) return Difference::requantized;
    if (out_of_range) return Difference::clamped;
    if (payload_equal) return Difference::scale;
    const unsigned width = window.source.encoding.block_columns;
    const std::uint64_t row_bytes = window.columns / 2;
    const std::uint64_t at = row * row_bytes + block * width / 2;
    bool swapped = true;
    for (unsigned i = 0; i < width / 2 && swapped; ++i) {
        const unsigned byte = byte_at(window.source.payload, at + i);
        swapped = byte_at(window.target.payload, at + i) == (byte >> 4 | (byte & 15U) << 4);
    }
    if (swapped) return Difference::swapped_nibbles;
    const auto same_as = [&](std::uint64_t source_at) {
        return std::memcmp(window.source.payload.data() + source_at, window.target.payload.data() + at, width / 2) == 0;
    };
    if (row > 0 && same_as(at - row_bytes)) return Difference::shifted_rows;
    if (row + 1 < window.rows && same_as(at + row_bytes)) return Difference::shifted_rows;
    return scales_equal ? Difference::nibble : Difference::nibble_and_scale;
}

}  // namespace assay::bit_exact

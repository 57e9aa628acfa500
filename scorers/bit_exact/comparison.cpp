#include "scorers/bit_exact/comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace assay::bit_exact {
namespace {

using checkpoints::BlockScale;
using checkpoints::GlobalScale;

unsigned code_at(std::span<const std::byte> payload, std::uint64_t element) {
    return static_cast<unsigned>(payload[element / 2]) >> (element % 2 * 4) & 15U;
}

std::uint8_t byte_at(std::span<const std::byte> bytes, std::uint64_t index) {
    return static_cast<std::uint8_t>(bytes[index]);
}

bool is_power_of_two(float value) {
    int exponent = 0;
    return std::isfinite(value) && value > 0 && std::frexp(value, &exponent) == 0.5F;
}

// Sixteen codes with the signs of zeros taken off.
std::uint64_t without_zero_signs(const std::byte* at) {
    std::uint64_t codes = 0;
    std::memcpy(&codes, at, sizeof codes);
    constexpr std::uint64_t magnitudes = 0x7777777777777777U;
    const std::uint64_t signs_of_others = ((codes & magnitudes) + magnitudes) & ~magnitudes;
    return codes & (magnitudes | signs_of_others);
}

// Blocks of 16 or 32 elements.
bool equal_but_for_zero_signs(const std::byte* a, const std::byte* b, unsigned width) {
    return without_zero_signs(a) == without_zero_signs(b) &&
           (width == 16 || without_zero_signs(a + 8) == without_zero_signs(b + 8));
}

std::size_t error_bin(double error, double largest) {
    if (largest == 0) return 0;
    const double ratio = error / largest;
    std::size_t bin = 0;
    for (double edge = 0.5; bin + 1 < error_bins && ratio < edge; edge /= 2) ++bin;
    return bin;
}

bool may_be_shifted(Difference kind) { return kind == Difference::nibble || kind == Difference::nibble_and_scale; }

}  // namespace

void Comparison::reset() {
    counted_ = 0;
    tally_ = {};
    differences_.clear();
    next_row_ = 0;
    pending_.clear();
}

bool Comparison::add(const Window& window) {
    assert(window.source.payload.size() == window.rows * window.columns / 2);
    assert(window.target.payload.size() == window.source.payload.size());
    assert(window.source.scales.size() == window.rows * window.columns / window.source.encoding.block_columns);
    assert(window.target.scales.size() == window.rows * window.columns / window.target.encoding.block_columns);
    if (window.rows == 0) return true;
    scales_.prepare(window.source.encoding, window.target.encoding);
    requantized_ = window.source.encoding.block_scale == BlockScale::e8m0 &&
                   window.target.encoding.global_scale != GlobalScale::none &&
                   !is_power_of_two(window.target.encoding.global);
    settle_last_row(window);
    const std::uint64_t blocks = window.columns / window.source.encoding.block_columns;
    const std::uint64_t bytes = window.columns / 2;
    const std::byte* const source = window.source.payload.data();
    const std::byte* const target = window.target.payload.data();
    const bool all_equal = std::memcmp(source, target, window.source.payload.size()) == 0;
    std::uint64_t equal_rows = 0;
    for (std::uint64_t row = 0; row < window.rows; ++row) {
        const bool equal = all_equal || std::memcmp(source + row * bytes, target + row * bytes, bytes) == 0;
        if (equal && scales_equal(window, row)) {
            ++equal_rows;
        } else {
            judge_row(window, row);
        }
    }
    tally_.blocks += equal_rows * blocks;
    tally_.exact += equal_rows * blocks;
    tally_.payload_equal += equal_rows * blocks;
    tally_.served_fp32 += equal_rows * blocks;
    tally_.served_bf16 += equal_rows * blocks;
    remember_last_row(window);
    return all_equal;
}

bool Comparison::scales_equal(const Window& window, std::uint64_t row) const {
    const unsigned source_width = window.source.encoding.block_columns;
    const unsigned target_width = window.target.encoding.block_columns;
    const std::uint64_t in_source = window.columns / source_width;
    const std::uint64_t in_target = window.columns / target_width;
    const auto source = window.source.scales.subspan(row * in_source, in_source);
    const auto target = window.target.scales.subspan(row * in_target, in_target);
    if (target_width <= source_width && all_on_line(scales_.line(), source, target)) return true;
    const auto wanted = [&](std::uint64_t i) { return scales_.match(static_cast<std::uint8_t>(source[i])); };
    std::uint32_t different = 0;
    if (source_width == 32 && target_width == 16) {
        for (std::uint64_t i = 0; i < window.columns / 32; ++i)
            different |= (wanted(i) ^ static_cast<std::uint32_t>(target[2 * i])) |
                         (wanted(i) ^ static_cast<std::uint32_t>(target[2 * i + 1]));
    } else if (source_width == target_width) {
        for (std::uint64_t i = 0; i < window.columns / source_width; ++i)
            different |= wanted(i) ^ static_cast<std::uint32_t>(target[i]);
    } else {
        for (std::uint64_t i = 0; i < window.columns / 16; ++i)
            different |= wanted(i) ^ static_cast<std::uint32_t>(target[i / 2]);
    }
    return different == 0;
}

void Comparison::judge_row(const Window& window, std::uint64_t row) {
    const unsigned width = window.source.encoding.block_columns;
    const std::uint64_t blocks = window.columns / width;
    const std::byte* const source = window.source.payload.data() + row * window.columns / 2;
    const std::byte* const target = window.target.payload.data() + row * window.columns / 2;
    const std::uint64_t first = row * window.columns;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        const std::byte* const a = source + block * width / 2;
        const std::byte* const b = target + block * width / 2;
        bool same_scales = true;
        for (unsigned i = 0; i < width; i += 16) {
            const std::uint64_t element = first + block * width + i;
            const auto code = byte_at(window.source.scales, element / width);
            same_scales = same_scales && scales_.match(code) == byte_at(window.target.scales,
                                                                        element / window.target.encoding.block_columns);
        }
        if (!same_scales || !equal_but_for_zero_signs(a, b, width)) {
            judge_block(window, row, block);
            continue;
        }
        const bool equal = std::memcmp(a, b, width / 2) == 0;
        if (!equal && counted_ < most_) {
            judge_block(window, row, block);
            continue;
        }
        ++tally_.blocks;
        ++tally_.exact;
        ++tally_.served_fp32;
        ++tally_.served_bf16;
        tally_.payload_equal += equal ? 1 : 0;
        tally_.differences[static_cast<std::size_t>(Difference::negative_zero)] += equal ? 0 : 1;
    }
}

void Comparison::judge_block(const Window& window, std::uint64_t row, std::uint64_t block) {
    const Encoding& source = window.source.encoding;
    const Encoding& target = window.target.encoding;
    const std::uint64_t first = row * window.columns + block * source.block_columns;
    Judgement judged;
    for (unsigned i = 0; i < source.block_columns; ++i) {
        const std::uint64_t element = first + i;
        if (i % 16 == 0)
            judged.begin_half(i, scales_, source, target, byte_at(window.source.scales, element / source.block_columns),
                              byte_at(window.target.scales, element / target.block_columns));
        judged.add(i, code_at(window.source.payload, element), code_at(window.target.payload, element));
    }
    ++tally_.blocks;
    tally_.payload_equal += judged.codes_equal ? 1 : 0;
    tally_.exact += judged.exact() ? 1 : 0;
    tally_.served_fp32 += judged.served_fp32_equal ? 1 : 0;
    tally_.served_bf16 += judged.served_bf16_equal ? 1 : 0;
    if (judged.exact() && judged.codes_equal && judged.scales_equal) return;
    BlockDifference& evidence = judged.evidence;
    evidence.row = window.first_row + row;
    evidence.block = block;
    if (judged.undefined) {
        evidence.kind = Difference::undefined;
    } else if (judged.exact()) {
        evidence.kind = judged.scales_equal  ? Difference::negative_zero
                        : judged.codes_equal ? Difference::zero_scale
                                             : Difference::rescaled;
    } else {
        evidence.kind = classify(window, row, block, judged);
        tally_.max_abs_err = std::max(tally_.max_abs_err, judged.error);
        ++tally_.errors[error_bin(judged.error, judged.largest)];
    }
    if (judged.codes_equal && !judged.exact() && !judged.undefined && judged.factor) note_factor(*judged.factor);
    keep(evidence, window);
}

void Comparison::keep(BlockDifference evidence, const Window& window) {
    ++tally_.differences[static_cast<std::size_t>(evidence.kind)];
    const bool kept = counted_ < most_;
    if (evidence.row + 1 == window.first_row + window.rows && may_be_shifted(evidence.kind))
        pending_.push_back({evidence.block, evidence.kind, kept ? differences_.size() : SIZE_MAX});
    if (!kept) return;
    ++counted_;
    differences_.push_back(evidence);
}

void Comparison::note_factor(double factor) {
    if (tally_.scale_factor && *tally_.scale_factor != factor) tally_.mixed_factors = true;
    if (!tally_.scale_factor) tally_.scale_factor = factor;
}

Difference Comparison::classify(const Window& window, std::uint64_t row, std::uint64_t block,
                                const Judgement& judged) const {
    if (requantized_) return Difference::requantized;
    if (judged.out_of_range) return Difference::clamped;
    if (judged.codes_equal) return Difference::scale;
    const std::uint64_t block_bytes = window.source.encoding.block_columns / 2;
    const std::uint64_t row_bytes = window.columns / 2;
    const std::uint64_t in_row = block * block_bytes;
    const std::uint64_t at = row * row_bytes + in_row;
    bool swapped = true;
    for (std::uint64_t i = 0; i < block_bytes && swapped; ++i) {
        const unsigned byte = byte_at(window.source.payload, at + i);
        swapped = byte_at(window.target.payload, at + i) == (byte >> 4 | (byte & 15U) << 4);
    }
    if (swapped) return Difference::swapped_nibbles;
    const auto is_of = [&](const std::byte* source_row) {
        return std::memcmp(source_row + in_row, window.target.payload.data() + at, block_bytes) == 0;
    };
    const std::byte* const source = window.source.payload.data();
    if (row > 0 ? is_of(source + (row - 1) * row_bytes) : !above_.empty() && is_of(above_.data()))
        return Difference::shifted_rows;
    if (row + 1 < window.rows && is_of(source + (row + 1) * row_bytes)) return Difference::shifted_rows;
    return judged.scales_equal ? Difference::nibble : Difference::nibble_and_scale;
}

// The row above is known when a window comes; the row below its last one only when the next does.
void Comparison::settle_last_row(const Window& next) {
    above_.clear();
    const std::uint64_t row_bytes = next.columns / 2;
    if (next_row_ != 0 && next.first_row == next_row_ && last_source_.size() == row_bytes) {
        above_.swap(last_source_);
        const std::uint64_t block_bytes = next.source.encoding.block_columns / 2;
        for (const Pending& one : pending_) {
            const std::uint64_t at = one.block * block_bytes;
            if (std::memcmp(last_target_.data() + at, next.source.payload.data() + at, block_bytes) != 0) continue;
            --tally_.differences[static_cast<std::size_t>(one.kind)];
            ++tally_.differences[static_cast<std::size_t>(Difference::shifted_rows)];
            if (one.kept < differences_.size()) differences_[one.kept].kind = Difference::shifted_rows;
        }
    }
    pending_.clear();
}

void Comparison::remember_last_row(const Window& window) {
    const std::uint64_t row_bytes = window.columns / 2;
    const auto last = [&](const Side& side) { return side.payload.last(row_bytes); };
    const auto source = last(window.source);
    last_source_.assign(source.begin(), source.end());
    if (!pending_.empty()) {
        const auto target = last(window.target);
        last_target_.assign(target.begin(), target.end());
    }
    next_row_ = window.first_row + window.rows;
}

void Comparison::take_settled(std::vector<BlockDifference>& into) {
    std::size_t settled = differences_.size();
    for (const Pending& one : pending_) settled = std::min(settled, one.kept);
    const auto end = differences_.begin() + static_cast<std::ptrdiff_t>(settled);
    into.insert(into.end(), differences_.begin(), end);
    differences_.erase(differences_.begin(), end);
    for (Pending& one : pending_) one.kept -= one.kept == SIZE_MAX ? 0 : settled;
}

}  // namespace assay::bit_exact

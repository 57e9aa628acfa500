#include "runners/drivers/walk_unit.hpp"

#include <algorithm>
#include <cstring>

#include "scorers/bit_exact/comparison.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

// Packed bytes of one side's window: long enough to read at the device's speed, short enough to stay in cache.
constexpr std::uint64_t window_bytes = std::uint64_t{1} << 20;

bit_exact::Encoding encoding_of(const Module& module, float global) {
    const Layout& layout = layout_of(module.layout);
    return {layout.block_scale, layout.global_scale, layout.block_columns, global};
}

// One scale for the whole weight, or one a bank.
float scale_of_bank(const std::vector<float>& scales, std::uint64_t bank) {
    return scales.empty() ? 1.0F : scales[scales.size() == 1 ? 0 : bank];
}

std::uint64_t count_different(std::span<const std::byte> a, std::span<const std::byte> b) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
    return count;
}

}  // namespace

UnitResult UnitReader::read(const WalkUnit& unit) {
    UnitResult result;
    switch (unit.kind) {
        case WalkUnit::Kind::weights:
            weights(source_.recognition.modules[unit.source], target_.recognition.modules[unit.target], result);
            break;
        case WalkUnit::Kind::tensors: tensors(unit.source, unit.target, result); break;
        case WalkUnit::Kind::source_alone:
            digest_whole(source_.checkpoint, unit.source, digests_.source[unit.source], result);
            break;
        case WalkUnit::Kind::target_alone:
            digest_whole(target_.checkpoint, unit.target, digests_.target[unit.target], result);
            break;
    }
    if (result.unreadable) result.differences.clear();
    return result;
}

std::optional<std::span<const std::byte>> UnitReader::bytes(const Checkpoint& checkpoint, std::uint32_t tensor,
                                                            std::uint64_t offset, std::uint64_t length,
                                                            std::size_t buffer, UnitResult& result) {
    const Tensor& one = checkpoint.tensors[tensor];
    const Shard& shard = checkpoint.shards[one.shard];
    const files::View view = shard.reader->view(one.begin + offset, static_cast<std::size_t>(length), buffers_[buffer]);
    if (!view.whole()) {
        if (!result.unreadable) result.unreadable = bit_exact::Unreadable{one.name, shard.file, view.fault};
        return std::nullopt;
    }
    if (progress_ != nullptr) progress_->bytes_done.fetch_add(length, std::memory_order_relaxed);
    return view.bytes;
}

void UnitReader::digest_whole(const Checkpoint& checkpoint, std::uint32_t tensor, Digest& digest, UnitResult& result) {
    ByteDigest hash;
    const std::uint64_t size = checkpoint.tensors[tensor].bytes();
    for (std::uint64_t at = 0; at < size; at += window_bytes) {
        const auto piece = bytes(checkpoint, tensor, at, std::min(window_bytes, size - at), 0, result);
        if (!piece) return;
        hash.add(*piece);
    }
    digest = hash.value();
}

std::vector<float> UnitReader::global_scales(const Opened& side, const Module& module, UnitResult& result) {
    std::vector<float> scales;
    if (!module.global) return scales;
    const auto all =
        bytes(side.checkpoint, *module.global, 0, side.checkpoint.tensors[*module.global].bytes(), 0, result);
    if (!all) return scales;
    scales.resize(all->size() / sizeof(float));
    std::memcpy(scales.data(), all->data(), scales.size() * sizeof(float));
    return scales;
}

void UnitReader::weights(const Module& a, const Module& b, UnitResult& result) {
    const std::vector<float> a_global = global_scales(source_, a, result);
    const std::vector<float> b_global = global_scales(target_, b, result);
    const auto small_parts = [&](const Opened& side, const Module& module, std::vector<Digest>& digests) {
        for (const auto& part : {module.global, module.input_scale}) {
            if (part) digest_whole(side.checkpoint, *part, digests[*part], result);
        }
    };
    small_parts(source_, a, digests_.source);
    small_parts(target_, b, digests_.target);
    if (result.unreadable) return;

    bit_exact::Comparison comparison(most_differences_);
    std::array<ByteDigest, 4> hashes;
    const std::uint64_t row_bytes = a.columns / 2;
    const std::uint64_t most_rows = std::max<std::uint64_t>(1, window_bytes / row_bytes);
    const std::uint64_t a_scales = a.columns / layout_of(a.layout).block_columns;
    const std::uint64_t b_scales = b.columns / layout_of(b.layout).block_columns;
    for (std::uint64_t bank = 0; bank < a.banks; ++bank) {
        for (std::uint64_t row = 0; row < a.rows; row += most_rows) {
            const std::uint64_t rows = std::min(most_rows, a.rows - row);
            const std::uint64_t first = bank * a.rows + row;
            const auto payload_a = bytes(source_.checkpoint, a.payload, first * row_bytes, rows * row_bytes, 0, result);
            const auto scales_a = bytes(source_.checkpoint, a.scale, first * a_scales, rows * a_scales, 1, result);
            const auto payload_b = bytes(target_.checkpoint, b.payload, first * row_bytes, rows * row_bytes, 2, result);
            const auto scales_b = bytes(target_.checkpoint, b.scale, first * b_scales, rows * b_scales, 3, result);
            if (!payload_a || !scales_a || !payload_b || !scales_b) return;
            comparison.add({first,
                            rows,
                            a.columns,
                            {encoding_of(a, scale_of_bank(a_global, bank)), *payload_a, *scales_a},
                            {encoding_of(b, scale_of_bank(b_global, bank)), *payload_b, *scales_b}});
            hashes[0].add(*payload_a);
            hashes[1].add(*scales_a);
            hashes[2].add(*payload_b);
            hashes[3].add(*scales_b);
        }
    }
    digests_.source[a.payload] = hashes[0].value();
    digests_.source[a.scale] = hashes[1].value();
    digests_.target[b.payload] = hashes[2].value();
    digests_.target[b.scale] = hashes[3].value();
    result.tally = comparison.tally();
    bit_exact::settle_global_scale(result.tally);
    result.differences = comparison.differences();
    if (result.tally.count(bit_exact::Difference::global_scale) == 0) return;
    for (bit_exact::BlockDifference& difference : result.differences) {
        if (difference.kind == bit_exact::Difference::scale || difference.kind == bit_exact::Difference::clamped)
            difference.kind = bit_exact::Difference::global_scale;
    }
}

void UnitReader::tensors(std::uint32_t a, std::uint32_t b, UnitResult& result) {
    ByteDigest hash_a;
    ByteDigest hash_b;
    const Tensor& tensor = source_.checkpoint.tensors[a];
    std::uint64_t different = 0;
    std::uint64_t first = 0;
    for (std::uint64_t at = 0; at < tensor.bytes(); at += window_bytes) {
        const std::uint64_t length = std::min(window_bytes, tensor.bytes() - at);
        const auto piece_a = bytes(source_.checkpoint, a, at, length, 0, result);
        const auto piece_b = bytes(target_.checkpoint, b, at, length, 1, result);
        if (!piece_a || !piece_b) return;
        hash_a.add(*piece_a);
        hash_b.add(*piece_b);
        if (std::memcmp(piece_a->data(), piece_b->data(), length) == 0) continue;
        if (different == 0)
            first =
                at + static_cast<std::uint64_t>(
                         std::mismatch(piece_a->begin(), piece_a->end(), piece_b->begin()).first - piece_a->begin());
        different += count_different(*piece_a, *piece_b);
    }
    digests_.source[a] = hash_a.value();
    digests_.target[b] = hash_b.value();
    if (different != 0) result.tensor_difference = bit_exact::TensorDifference{tensor.name, first, different};
}

}  // namespace assay::runners

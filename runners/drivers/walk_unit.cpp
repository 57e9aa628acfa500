#include "runners/drivers/walk_unit.hpp"

#include <algorithm>
#include <cstring>

#include "scorers/bit_exact/comparison.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

// Packed bytes of one side's window: long enough to read at the device's speed, short enough to stay in cache.
constexpr std::uint64_t window_bytes = std::uint64_t{1} << 20;
// What stands for a row of a tensor that is no weight, where only a part is read.
constexpr std::uint64_t piece_bytes = 4096;

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

// A run cut into windows of at most `most` rows that do not cross a multiple of `bank`.
std::vector<RowRun> windows_of(const std::vector<RowRun>& runs, std::uint64_t most, std::uint64_t bank) {
    std::vector<RowRun> windows;
    for (const RowRun& run : runs) {
        for (std::uint64_t row = run.first, end = run.first + run.count; row < end;) {
            const std::uint64_t count = std::min({most, end - row, bank - row % bank});
            windows.push_back({row, count});
            row += count;
        }
    }
    return windows;
}

}  // namespace

UnitResult UnitReader::read(const WalkUnit& unit) {
    UnitResult result;
    switch (unit.kind) {
        case WalkUnit::Kind::weights:
            weights(in_.source.recognition.modules[unit.source], in_.target.recognition.modules[unit.target], result);
            break;
        case WalkUnit::Kind::target_weight: target_weight(in_.target.recognition.modules[unit.target], result); break;
        case WalkUnit::Kind::tensors: tensors(unit.source, unit.target, result); break;
        case WalkUnit::Kind::source_alone: lone_tensor(Of::source, unit.source, result); break;
        case WalkUnit::Kind::target_alone: lone_tensor(Of::target, unit.target, result); break;
    }
    if (result.unreadable) {
        UnitResult nothing;
        nothing.unreadable = std::move(result.unreadable);
        nothing.bytes_read = result.bytes_read;
        return nothing;
    }
    return result;
}

std::vector<RowRun> UnitReader::runs(std::uint64_t length, const std::string& name) const {
    return runs_of(length, in_.options.sample, name);
}

bool UnitReader::stopped(UnitResult& result) const {
    result.cancelled = result.cancelled || (in_.options.cancel != nullptr && in_.options.cancel->raised());
    return result.cancelled || result.unreadable.has_value();
}

std::optional<std::span<const std::byte>> UnitReader::bytes(Of side, std::uint32_t tensor, std::uint64_t offset,
                                                            std::uint64_t length, std::size_t buffer,
                                                            UnitResult& result) {
    const Tensor& one = checkpoint(side).tensors[tensor];
    const Shard& shard = checkpoint(side).shards[one.shard];
    const files::View view = shard.reader->view(one.begin + offset, static_cast<std::size_t>(length), buffers_[buffer]);
    if (!view.whole()) {
        if (!result.unreadable) result.unreadable = bit_exact::Unreadable{one.name, shard.file, view.fault};
        return std::nullopt;
    }
    result.bytes_read += length;
    if (in_.options.progress != nullptr)
        in_.options.progress->bytes_done.fetch_add(length, std::memory_order_relaxed);
    return view.bytes;
}

void UnitReader::keep_digest(Of side, std::uint32_t tensor, const ByteDigest& hash, UnitResult& result) const {
    if (in_.options.sample) return;
    (side == Of::source ? result.source_digests : result.target_digests).emplace_back(tensor, hash.value());
}

void UnitReader::keep_scalars(Of side, std::uint32_t tensor, std::span<const std::byte> bytes, UnitResult& result) {
    if (side == Of::target && in_.roles.wanted(tensor)) result.scalars.emplace_back(tensor, floats_of(bytes));
}

std::vector<float> UnitReader::small_tensor(Of side, std::uint32_t tensor, UnitResult& result) {
    const auto all = bytes(side, tensor, 0, checkpoint(side).tensors[tensor].bytes(), 0, result);
    if (!all) return {};
    ByteDigest hash;
    hash.add(*all);
    keep_digest(side, tensor, hash, result);
    keep_scalars(side, tensor, *all, result);
    return floats_of(*all);
}

std::vector<float> UnitReader::scalars(Of side, const Module& module, UnitResult& result) {
    if (module.input_scale) small_tensor(side, *module.input_scale, result);
    return module.global ? small_tensor(side, *module.global, result) : std::vector<float>{};
}

void UnitReader::weights(const Module& a, const Module& b, UnitResult& result) {
    const std::vector<float> a_global = scalars(Of::source, a, result);
    const std::vector<float> b_global = scalars(Of::target, b, result);
    const Layout& layout = layout_of(b.layout);
    bit_exact::Comparison comparison(in_.most_differences);
    result.survey.emplace();
    std::array<ByteDigest, 4> hashes;
    const std::uint64_t row_bytes = a.columns / 2;
    const std::uint64_t a_scales = a.columns / layout_of(a.layout).block_columns;
    const std::uint64_t b_scales = b.columns / layout.block_columns;
    const std::uint64_t most_rows = std::max<std::uint64_t>(1, window_bytes / row_bytes);
    for (const RowRun& run : windows_of(runs(a.all_rows(), a.name), most_rows, a.rows)) {
        if (stopped(result)) return;
        const auto [row, rows] = run;
        const auto payload_a = bytes(Of::source, a.payload, row * row_bytes, rows * row_bytes, 0, result);
        const auto scales_a = bytes(Of::source, a.scale, row * a_scales, rows * a_scales, 1, result);
        const auto payload_b = bytes(Of::target, b.payload, row * row_bytes, rows * row_bytes, 2, result);
        const auto scales_b = bytes(Of::target, b.scale, row * b_scales, rows * b_scales, 3, result);
        if (!payload_a || !scales_a || !payload_b || !scales_b) return;
        comparison.add({row,
                        rows,
                        a.columns,
                        {encoding_of(a, scale_of_bank(a_global, row / a.rows)), *payload_a, *scales_a},
                        {encoding_of(b, scale_of_bank(b_global, row / b.rows)), *payload_b, *scales_b}});
        result.survey->add(layout, row, b.columns, *scales_b, *payload_b);
        hashes[0].add(*payload_a);
        hashes[1].add(*scales_a);
        hashes[2].add(*payload_b);
        hashes[3].add(*scales_b);
    }
    result.survey->whole = !in_.options.sample;
    keep_digest(Of::source, a.payload, hashes[0], result);
    keep_digest(Of::source, a.scale, hashes[1], result);
    keep_digest(Of::target, b.payload, hashes[2], result);
    keep_digest(Of::target, b.scale, hashes[3], result);
    result.tally = comparison.tally();
    bit_exact::settle_global_scale(result.tally);
    result.differences = comparison.differences();
    if (result.tally.count(bit_exact::Difference::global_scale) == 0) return;
    for (bit_exact::BlockDifference& difference : result.differences) {
        if (difference.kind == bit_exact::Difference::scale || difference.kind == bit_exact::Difference::clamped)
            difference.kind = bit_exact::Difference::global_scale;
    }
}

void UnitReader::target_weight(const Module& module, UnitResult& result) {
    scalars(Of::target, module, result);
    const Layout& layout = layout_of(module.layout);
    result.survey.emplace();
    std::array<ByteDigest, 2> hashes;
    const std::uint64_t row_bytes = module.columns / 2;
    const std::uint64_t row_scales = module.columns / layout.block_columns;
    const std::uint64_t most_rows = std::max<std::uint64_t>(1, window_bytes / row_bytes);
    for (const RowRun& run : windows_of(runs(module.all_rows(), module.name), most_rows, module.all_rows())) {
        if (stopped(result)) return;
        const auto [row, rows] = run;
        const auto payload = bytes(Of::target, module.payload, row * row_bytes, rows * row_bytes, 0, result);
        const auto scales = bytes(Of::target, module.scale, row * row_scales, rows * row_scales, 1, result);
        if (!payload || !scales) return;
        result.survey->add(layout, row, module.columns, *scales, *payload);
        hashes[0].add(*payload);
        hashes[1].add(*scales);
    }
    result.survey->whole = !in_.options.sample;
    keep_digest(Of::target, module.payload, hashes[0], result);
    keep_digest(Of::target, module.scale, hashes[1], result);
}

void UnitReader::tensors(std::uint32_t a, std::uint32_t b, UnitResult& result) {
    ByteDigest hash_a;
    ByteDigest hash_b;
    const Tensor& tensor = in_.source.checkpoint.tensors[a];
    const std::uint64_t pieces = (tensor.bytes() + piece_bytes - 1) / piece_bytes;
    const auto chosen = in_.roles.wanted(b) ? std::vector<RowRun>{{0, pieces}} : runs(pieces, tensor.name);
    std::uint64_t different = 0;
    std::uint64_t first = 0;
    for (const RowRun& run : windows_of(chosen, window_bytes / piece_bytes, std::max<std::uint64_t>(1, pieces))) {
        if (stopped(result)) return;
        const std::uint64_t at = run.first * piece_bytes;
        const std::uint64_t length = std::min(run.count * piece_bytes, tensor.bytes() - at);
        const auto piece_a = bytes(Of::source, a, at, length, 0, result);
        const auto piece_b = bytes(Of::target, b, at, length, 1, result);
        if (!piece_a || !piece_b) return;
        keep_scalars(Of::target, b, *piece_b, result);
        hash_a.add(*piece_a);
        hash_b.add(*piece_b);
        if (std::memcmp(piece_a->data(), piece_b->data(), length) == 0) continue;
        const auto mismatch = std::mismatch(piece_a->begin(), piece_a->end(), piece_b->begin()).first;
        if (different == 0) first = at + static_cast<std::uint64_t>(mismatch - piece_a->begin());
        different += count_different(*piece_a, *piece_b);
    }
    keep_digest(Of::source, a, hash_a, result);
    keep_digest(Of::target, b, hash_b, result);
    if (different != 0) result.tensor_difference = bit_exact::TensorDifference{tensor.name, first, different};
}

void UnitReader::lone_tensor(Of side, std::uint32_t index, UnitResult& result) {
    ByteDigest hash;
    const Tensor& tensor = checkpoint(side).tensors[index];
    const bool wanted = side == Of::target && in_.roles.wanted(index);
    // A sample has nothing to compare it with.
    if (in_.options.sample && !wanted) return;
    for (std::uint64_t at = 0; at < tensor.bytes(); at += window_bytes) {
        if (stopped(result)) return;
        const auto piece = bytes(side, index, at, std::min(window_bytes, tensor.bytes() - at), 0, result);
        if (!piece) return;
        keep_scalars(side, index, *piece, result);
        hash.add(*piece);
    }
    keep_digest(side, index, hash, result);
}

}  // namespace assay::runners

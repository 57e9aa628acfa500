#include "runners/drivers/walk_unit.hpp"

#include <algorithm>
#include <cstring>

#include "runners/drivers/pair_digest.hpp"
#include "runners/drivers/walk_windows.hpp"
#include "scorers/bit_exact/transposed.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

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

}  // namespace

UnitResult UnitReader::read(const WalkUnit& unit) {
    UnitResult result;
    switch (unit.kind) {
        case WalkUnit::Kind::weights:
            weights(in_.opened(Of::source).recognition.modules[unit.source], in_.opened(Of::target).recognition.modules[unit.target], result);
            break;
        case WalkUnit::Kind::target_weight: target_weight(in_.opened(Of::target).recognition.modules[unit.target], result); break;
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
    return runs_of(length, in_.options().sample, name);
}

bool UnitReader::stopped(UnitResult& result) const {
    result.cancelled = result.cancelled || (in_.options().cancel != nullptr && in_.options().cancel->raised());
    return result.cancelled || result.unreadable.has_value();
}

std::optional<std::span<const std::byte>> UnitReader::bytes(Of side, std::uint32_t tensor, std::uint64_t offset,
                                                            std::uint64_t length, std::size_t buffer,
                                                            UnitResult& result) {
    const Tensor& one = in_.tensor(side, tensor);
    const files::View view = in_.reader(side, one.shard)
                                 ->view(one.begin + offset, static_cast<std::size_t>(length), buffers_[buffer]);
    shown_[buffer] = {side, tensor};
    if (!view.whole()) {
        note_fault(shown_[buffer], view.fault, result);
        return std::nullopt;
    }
    result.bytes_read += length;
    if (in_.options().progress != nullptr)
        in_.options().progress->bytes_done.fetch_add(length, std::memory_order_relaxed);
    return view.bytes;
}

void UnitReader::note_fault(const Shown& shown, const std::string& fault, UnitResult& result) const {
    const Tensor& tensor = in_.tensor(shown.side, shown.tensor);
    const std::string& file = in_.opened(shown.side).checkpoint.shards[tensor.shard].file;
    // A file of the source may have the same name.
    const char* const where = shown.side == Of::source ? "in the source: " : "";
    if (!result.unreadable) result.unreadable = bit_exact::Unreadable{tensor.name, file, where + fault};
}

bool UnitReader::intact(std::initializer_list<std::size_t> buffers, UnitResult& result) {
    for (const std::size_t buffer : buffers) {
        const std::string fault = buffers_[buffer].fault();
        if (!fault.empty()) note_fault(shown_[buffer], fault, result);
    }
    return !result.unreadable;
}

void UnitReader::keep_digest(Of side, std::uint32_t tensor, const ByteDigest& hash, UnitResult& result) const {
    if (in_.options().sample) return;
    (side == Of::source ? result.source_digests : result.target_digests).emplace_back(tensor, hash.value());
}

void UnitReader::keep_scalars(Of side, std::uint32_t tensor, std::span<const std::byte> bytes, UnitResult& result) {
    if (side == Of::target && in_.roles().wanted(tensor)) result.scalars.emplace_back(tensor, floats_of(bytes));
}

std::vector<float> UnitReader::small_tensor(Of side, std::uint32_t tensor, UnitResult& result) {
    const auto all = bytes(side, tensor, 0, in_.tensor(side, tensor).bytes(), 0, result);
    if (!all) return {};
    ByteDigest hash;
    hash.add(*all);
    keep_digest(side, tensor, hash, result);
    keep_scalars(side, tensor, *all, result);
    std::vector<float> values = floats_of(*all);
    (void)intact({0}, result);
    return values;
}

std::vector<float> UnitReader::scalars(Of side, const Module& module, UnitResult& result) {
    if (module.input_scale) small_tensor(side, *module.input_scale, result);
    return module.global ? small_tensor(side, *module.global, result) : std::vector<float>{};
}

void UnitReader::weights(const Module& a, const Module& b, UnitResult& result) {
    const std::vector<float> a_global = scalars(Of::source, a, result);
    const std::vector<float> b_global = scalars(Of::target, b, result);
    const Layout& layout = layout_of(b.layout);
    comparison_.reset();
    result.survey.emplace();
    PairDigest payload_hash;
    ByteDigest a_scale_hash;
    ByteDigest b_scale_hash;
    std::vector<bit_exact::BlockDifference> found;
    const std::uint64_t row_bytes = a.columns / 2;
    const std::uint64_t a_scales = a.columns / layout_of(a.layout).block_columns;
    const std::uint64_t b_scales = b.columns / layout.block_columns;
    for (const RowRun& window : windows_of(runs(a.all_rows(), a.name), in_.window_bytes() / row_bytes, a.rows)) {
        if (stopped(result)) return;
        const auto [first, rows] = window;
        const auto payload_a = bytes(Of::source, a.payload, first * row_bytes, rows * row_bytes, 0, result);
        const auto scales_a = bytes(Of::source, a.scale, first * a_scales, rows * a_scales, 1, result);
        const auto payload_b = bytes(Of::target, b.payload, first * row_bytes, rows * row_bytes, 2, result);
        const auto scales_b = bytes(Of::target, b.scale, first * b_scales, rows * b_scales, 3, result);
        if (!payload_a || !scales_a || !payload_b || !scales_b) return;
        const auto a_encoding = encoding_of(a, scale_of_bank(a_global, first / a.rows));
        const auto b_encoding = encoding_of(b, scale_of_bank(b_global, first / b.rows));
        for (const RowRun& step : windows_of({{0, rows}}, step_bytes / row_bytes, rows)) {
            const auto part = [&](const auto& all, std::uint64_t in_row) {
                return all->subspan(step.first * in_row, step.count * in_row);
            };
            const bit_exact::Window some{first + step.first,
                                         step.count,
                                         a.columns,
                                         {a_encoding, part(payload_a, row_bytes), part(scales_a, a_scales)},
                                         {b_encoding, part(payload_b, row_bytes), part(scales_b, b_scales)}};
            const bool equal = comparison_.add(some);
            comparison_.take_settled(found);
            if (!found.empty()) result.differences.add(found);
            result.survey->add(layout, some.first_row, b.columns, some.target.scales, some.target.payload);
            if (in_.options().sample) continue;
            payload_hash.add(some.source.payload, some.target.payload, equal);
            a_scale_hash.add(some.source.scales);
            b_scale_hash.add(some.target.scales);
        }
        if (!intact({0, 1, 2, 3}, result)) return;
    }
    result.survey->whole = !in_.options().sample;
    keep_digest(Of::source, a.payload, payload_hash.source(), result);
    keep_digest(Of::source, a.scale, a_scale_hash, result);
    keep_digest(Of::target, b.payload, payload_hash.target(), result);
    keep_digest(Of::target, b.scale, b_scale_hash, result);
    found = comparison_.differences();
    if (!found.empty()) result.differences.add(found);
    settle(a, b, result);
}

void UnitReader::settle(const Module& a, const Module& b, UnitResult& result) {
    result.tally = comparison_.tally();
    result.settlement.global_scale = bit_exact::is_off_by_global_scale(result.tally);
    result.settlement.transposed = is_transposed(a, b, result);
    bit_exact::settle(result.tally, result.settlement);
}

// The one thing that takes a second look, at weights only that are square and mostly wrong.
bool UnitReader::is_transposed(const Module& a, const Module& b, UnitResult& result) {
    using enum bit_exact::Difference;
    constexpr std::uint64_t largest = std::uint64_t{256} << 20;
    const std::uint64_t bank_bytes = a.rows * a.columns / 2;
    const std::uint64_t wrong = result.tally.count(nibble) + result.tally.count(nibble_and_scale) +
                                result.tally.count(shifted_rows) + result.tally.count(swapped_nibbles);
    if (a.rows != a.columns || in_.options().sample || bank_bytes > largest || wrong * 2 <= result.tally.blocks)
        return false;
    const std::lock_guard one_at_a_time(in_.large_memory());
    files::Buffer whole;
    UnitResult second;  // what goes wrong here leaves the first look as it was
    for (std::uint64_t bank = 0; bank < a.banks; ++bank) {
        const Tensor& target = in_.tensor(Of::target, b.payload);
        const files::View all = in_.reader(Of::target, target.shard)
                                    ->view(target.begin + bank * bank_bytes, static_cast<std::size_t>(bank_bytes), whole);
        if (!all.whole()) return false;
        const std::uint64_t row_bytes = a.columns / 2;
        for (const RowRun& rows : windows_of({{0, a.rows}}, step_bytes / row_bytes, a.rows)) {
            if (stopped(result)) return false;
            const auto source = bytes(Of::source, a.payload, bank * bank_bytes + rows.first * row_bytes,
                                      rows.count * row_bytes, 0, second);
            if (!source || !bit_exact::rows_are_columns(*source, rows.first, all.bytes, a.columns) ||
                !intact({0}, second) || !whole.fault().empty())
                return false;
        }
    }
    return true;
}

void UnitReader::target_weight(const Module& module, UnitResult& result) {
    scalars(Of::target, module, result);
    const Layout& layout = layout_of(module.layout);
    result.survey.emplace();
    std::array<ByteDigest, 2> hashes;
    const std::uint64_t row_bytes = module.columns / 2;
    const std::uint64_t row_scales = module.columns / layout.block_columns;
    for (const RowRun& window :
         windows_of(runs(module.all_rows(), module.name), in_.window_bytes() / row_bytes, module.all_rows())) {
        if (stopped(result)) return;
        const auto [row, rows] = window;
        const auto payload = bytes(Of::target, module.payload, row * row_bytes, rows * row_bytes, 0, result);
        const auto scales = bytes(Of::target, module.scale, row * row_scales, rows * row_scales, 1, result);
        if (!payload || !scales) return;
        result.survey->add(layout, row, module.columns, *scales, *payload);
        hashes[0].add(*payload);
        hashes[1].add(*scales);
        if (!intact({0, 1}, result)) return;
    }
    result.survey->whole = !in_.options().sample;
    keep_digest(Of::target, module.payload, hashes[0], result);
    keep_digest(Of::target, module.scale, hashes[1], result);
}

void UnitReader::tensors(std::uint32_t a, std::uint32_t b, UnitResult& result) {
    PairDigest hash;
    const Tensor& tensor = in_.tensor(Of::source, a);
    const std::uint64_t pieces = (tensor.bytes() + piece_bytes - 1) / piece_bytes;
    const auto chosen = in_.roles().wanted(b) ? std::vector<RowRun>{{0, pieces}} : runs(pieces, tensor.name);
    std::uint64_t different = 0;
    std::uint64_t first = 0;
    for (const RowRun& run : windows_of(chosen, in_.window_bytes() / piece_bytes, std::max<std::uint64_t>(1, pieces))) {
        if (stopped(result)) return;
        const std::uint64_t begin = run.first * piece_bytes;
        const std::uint64_t length = std::min(run.count * piece_bytes, tensor.bytes() - begin);
        const auto all_a = bytes(Of::source, a, begin, length, 0, result);
        const auto all_b = bytes(Of::target, b, begin, length, 1, result);
        if (!all_a || !all_b) return;
        keep_scalars(Of::target, b, *all_b, result);
        for (std::uint64_t at = 0; at < length; at += step_bytes) {
            const auto step_a = all_a->subspan(at, std::min(step_bytes, length - at));
            const auto step_b = all_b->subspan(at, step_a.size());
            const bool equal = std::memcmp(step_a.data(), step_b.data(), step_a.size()) == 0;
            hash.add(step_a, step_b, equal);
            if (equal) continue;
            const auto mismatch = std::mismatch(step_a.begin(), step_a.end(), step_b.begin()).first;
            if (different == 0) first = begin + at + static_cast<std::uint64_t>(mismatch - step_a.begin());
            different += count_different(step_a, step_b);
        }
        if (!intact({0, 1}, result)) return;
    }
    keep_digest(Of::source, a, hash.source(), result);
    keep_digest(Of::target, b, hash.target(), result);
    if (different != 0) result.tensor_difference = bit_exact::TensorDifference{tensor.name, first, different};
}

void UnitReader::lone_tensor(Of side, std::uint32_t index, UnitResult& result) {
    ByteDigest hash;
    const Tensor& tensor = in_.tensor(side, index);
    const bool wanted = side == Of::target && in_.roles().wanted(index);
    // A sample has nothing to compare it with.
    if (in_.options().sample && !wanted) return;
    for (std::uint64_t at = 0; at < tensor.bytes(); at += in_.window_bytes()) {
        if (stopped(result)) return;
        const auto piece = bytes(side, index, at, std::min(in_.window_bytes(), tensor.bytes() - at), 0, result);
        if (!piece) return;
        keep_scalars(side, index, *piece, result);
        hash.add(*piece);
        if (!intact({0}, result)) return;
    }
    keep_digest(side, index, hash, result);
}

}  // namespace assay::runners

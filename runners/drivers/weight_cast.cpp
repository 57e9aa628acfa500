#include "runners/drivers/weight_cast.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "datasets/checkpoints/closed_form.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

constexpr std::uint64_t blocks_at_once = std::uint64_t{1} << 18;  // 4 MiB of elements

Digest write_scalar(const Tensor* tensor, float value, files::PlacedFile& file) {
    if (tensor == nullptr) return {};
    const auto bytes = std::as_bytes(std::span(&value, 1));
    file.write(tensor->begin, bytes);
    ByteDigest digest;
    digest.add(bytes);
    return digest.value();
}

}  // namespace

WeightResult WeightCaster::run(const WeightJob& job, files::PlacedFile* file, WalkProgress* progress) {
    const Checkpoint& checkpoint = plan_.source().checkpoint;
    const Module& module = plan_.source().recognition.modules[job.module];
    const ScaleChoice choice = scales_.of_module(job.module);
    WeightResult result;
    result.exponent = choice.exponent;
    ByteDigest source_payload;
    ByteDigest source_scale;
    ByteDigest payload;
    ByteDigest scale;
    const std::uint64_t blocks = module.elements() / 32;
    for (std::uint64_t first = 0; first < blocks; first += blocks_at_once) {
        const std::uint64_t count = std::min(blocks_at_once, blocks - first);
        const auto codes = tensor_bytes(checkpoint, checkpoint.tensors[module.scale], first, count, codes_buffer_);
        e4m3_.resize(2 * count);
        outside_.clear();
        cast_scales(choice.exponent, codes, e4m3_, outside_);
        std::span<const std::byte> packed;
        if ((job.payload != nullptr && file != nullptr) || !outside_.empty())
            packed = tensor_bytes(checkpoint, checkpoint.tensors[module.payload], first * 16, count * 16,
                                  payload_buffer_);
        std::span<const std::byte> written = packed;
        if (!outside_.empty()) {
            patched_.assign(packed.begin(), packed.end());
            look_outside(codes, first, choice.exponent, result);
            written = patched_;
        }
        if (file == nullptr) continue;
        if (job.payload != nullptr) {
            file->write(job.payload->begin + first * 16, written);
            source_payload.add(packed);
            if (!choice.settled) payload.add(written);
        }
        if (job.scale != nullptr) {
            file->write(job.scale->begin + first * 2, e4m3_);
            source_scale.add(codes);
            scale.add(e4m3_);
        }
        if (progress != nullptr)
            progress->bytes_done.fetch_add((job.payload != nullptr ? count * 16 : 0) + (job.scale != nullptr ? count : 0),
                                           std::memory_order_relaxed);
    }
    if (file == nullptr) return result;
    result.source_payload = source_payload.value();
    result.source_scale = source_scale.value();
    result.payload = choice.settled ? result.source_payload : payload.value();
    result.scale = scale.value();
    const bool divides = layout_of(cast::target_layout(module.layout, plan_.options().dialect)->target).global_scale ==
                         GlobalScale::divisor;
    result.global = write_scalar(job.global, std::ldexp(1.0F, divides ? -choice.exponent : choice.exponent), *file);
    result.input_scale = write_scalar(job.input_scale, 1.0F, *file);
    return result;
}

void WeightCaster::look_outside(std::span<const std::byte> codes, std::uint64_t first, int exponent,
                                WeightResult& result) {
    for (const std::uint64_t at : outside_) {
        const auto code = static_cast<std::uint8_t>(codes[at]);
        const auto packed = std::span(patched_).subspan(16 * at).first<16>();
        cast::ChangedBlock block{0, first + at, code, BlockFate::zeros, {}};
        std::array<std::byte, 16> original{};
        std::copy(packed.begin(), packed.end(), original.begin());
        const OutsideBlock cast = cast_outside_block(exponent, code, packed);
        e4m3_[2 * at] = static_cast<std::byte>(cast.scales[0]);
        e4m3_[2 * at + 1] = static_cast<std::byte>(cast.scales[1]);
        block.fate = cast.fate;
        if (cast.fate != BlockFate::zeros) block.packed = original;
        result.changed.push_back(block);
    }
}

}  // namespace assay::runners

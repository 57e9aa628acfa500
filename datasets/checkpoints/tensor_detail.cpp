#include "datasets/checkpoints/tensor_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/checkpoints/decode.hpp"
#include "datasets/checkpoints/number_formats.hpp"
#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

class Detail {
public:
    explicit Detail(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

    TensorDetail of_tensor(const Tensor& tensor) {
        add(tensor);
        const std::uint64_t wanted = std::min<std::uint64_t>(tensor.bytes(), TensorDetail::most_values * 8);
        const auto bytes = read(tensor, 0, wanted);
        for (std::uint64_t i = 0; i < TensorDetail::most_values; ++i) {
            const auto value = decode(tensor.dtype, bytes, i);
            if (value) detail_.first_values.push_back(*value);
        }
        return std::move(detail_);
    }

    TensorDetail of_module(const Module& module) {
        detail_.module = module;
        const Layout& layout = layout_of(module.layout);
        const Tensor& payload = checkpoint_.tensors[module.payload];
        const Tensor& scale = checkpoint_.tensors[module.scale];
        for (const auto& part :
             {std::optional(module.payload), std::optional(module.scale), module.global, module.input_scale}) {
            if (part) add(checkpoint_.tensors[*part]);
        }
        if (layout.block_scale != BlockScale::f32) count_codes(scale);
        if (module.global) read_globals(checkpoint_.tensors[*module.global]);
        if (layout.declined) {
            detail_.faults.push_back(fmt::format("the layout {} is named and not decoded", layout.name));
        } else {
            dequantize(layout, payload, scale);
        }
        return std::move(detail_);
    }

private:
    void add(const Tensor& tensor) {
        detail_.tensors.push_back(tensor);
        detail_.shards.push_back(checkpoint_.shards[tensor.shard].file);
    }

    std::span<const std::byte> read(const Tensor& tensor, std::uint64_t offset, std::uint64_t length) {
        const Shard& shard = checkpoint_.shards[tensor.shard];
        const files::View view = shard.reader->view(tensor.begin + offset, static_cast<std::size_t>(length), buffer_);
        if (!view.whole()) detail_.faults.push_back(fmt::format("{} in {}: {}", tensor.name, shard.file, view.fault));
        return view.bytes;
    }

    void count_codes(const Tensor& scale) {
        CodeCounts counts{};
        for (std::uint64_t at = 0; at < scale.bytes(); at += piece_bytes) {
            const auto bytes = read(scale, at, std::min(piece_bytes, scale.bytes() - at));
            if (bytes.empty()) return;
            for (const std::byte code : bytes) ++counts[static_cast<std::size_t>(code)];
        }
        detail_.scale_codes = counts;
    }

    void read_globals(const Tensor& global) {
        const auto bytes = read(global, 0, std::min<std::uint64_t>(global.bytes(), TensorDetail::most_values * 4));
        for (std::uint64_t i = 0; i * 4 < bytes.size(); ++i)
            detail_.global_scales.push_back(*decode(Dtype::F32, bytes, i));
    }

    // The first values lie in the first block of every layout.
    void dequantize(const Layout& layout, const Tensor& payload, const Tensor& scale) {
        const Dtype scale_dtype = layout.block_scale == BlockScale::e8m0   ? Dtype::F8_E8M0
                                  : layout.block_scale == BlockScale::e4m3 ? Dtype::F8_E4M3
                                                                           : Dtype::F32;
        const auto code = decode(scale_dtype, read(scale, 0, std::min<std::uint64_t>(scale.bytes(), 4)), 0);
        const auto bytes = read(payload, 0, std::min<std::uint64_t>(payload.bytes(), TensorDetail::most_values));
        if (!code || bytes.empty() || (layout.global_scale != GlobalScale::none && detail_.global_scales.empty()))
            return;
        const std::uint64_t count = std::min<std::uint64_t>(TensorDetail::most_values, detail_.module->columns);
        for (std::uint64_t i = 0; i < count; ++i) {
            const double element = *decode(layout.fp4() ? Dtype::F4 : Dtype::F8_E4M3, bytes, i);
            double value = element * *code;
            if (layout.global_scale == GlobalScale::multiplier) value *= detail_.global_scales[0];
            if (layout.global_scale == GlobalScale::divisor) value /= detail_.global_scales[0];
            detail_.first_values.push_back(value);
        }
    }

    const Checkpoint& checkpoint_;
    TensorDetail detail_;
    files::Buffer buffer_;
};

bool has_part(const Module& module, std::uint32_t tensor) {
    return module.payload == tensor || module.scale == tensor || module.global == tensor ||
           module.input_scale == tensor;
}

}  // namespace

TensorDetail look_closely(const Checkpoint& checkpoint, const Recognition& recognition, const std::string& name) {
    const Tensor* const tensor = checkpoint.find(name);
    for (const Module& module : recognition.modules) {
        const bool meant =
            module.name == name ||
            (tensor != nullptr && has_part(module, static_cast<std::uint32_t>(tensor - checkpoint.tensors.data())));
        if (meant) return Detail(checkpoint).of_module(module);
    }
    if (tensor != nullptr) return Detail(checkpoint).of_tensor(*tensor);
    // Names sort by their beginnings: the neighbours of the place where it would stand are the likeliest.
    const auto place = std::lower_bound(checkpoint.tensors.begin(), checkpoint.tensors.end(), name,
                                        [](const Tensor& a, const std::string& wanted) { return a.name < wanted; });
    std::string near;
    if (place != checkpoint.tensors.begin()) near = fmt::format("; near it stands {}", std::prev(place)->name);
    if (place != checkpoint.tensors.end())
        near += fmt::format("{} {}", near.empty() ? "; near it stands" : " and", place->name);
    throw Error(fmt::format("{} has no tensor or module {}{}", checkpoint.folder, name, near));
}

}  // namespace assay::checkpoints

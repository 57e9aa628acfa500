#include "runners/drivers/cast_a_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/cast/modeling.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {

std::vector<std::string> a_log_notes(const checkpoints::Opened& source) {
    std::vector<std::string> notes;
    const checkpoints::Checkpoint& checkpoint = source.checkpoint;
    if (!checkpoint.model.linear_heads) return notes;
    const std::uint64_t heads = *checkpoint.model.linear_heads;
    std::uint64_t longer = 0;
    std::uint64_t entries = 0;
    files::Buffer buffer;
    for (const checkpoints::Tensor& tensor : checkpoint.tensors) {
        if (!tensor.name.ends_with(".A_log") || tensor.dtype != checkpoints::Dtype::F32 || tensor.shape.size() != 1 ||
            tensor.shape[0] <= heads)
            continue;
        ++longer;
        entries = tensor.shape[0];
        const auto tail = tensor_bytes(checkpoint, tensor, 4 * heads, 4 * (entries - heads), buffer);
        if (std::any_of(tail.begin(), tail.end(), [](std::byte byte) { return byte != std::byte{0}; }))
            notes.push_back(fmt::format("{} is not all +0 past its {} heads: carried over as it is", tensor.name, heads));
    }
    if (longer == 0) return notes;
    notes.push_back(fmt::format(
        "{} A_log with {} entries, of which {} heads use the first: carried over as they are; {} builds {} entries and "
        "refuses them, --fix-modeling makes it build {}",
        longer, entries, heads, cast::modeling_file, heads, entries));
    return notes;
}

}  // namespace assay::runners

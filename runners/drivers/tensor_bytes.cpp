#include "runners/drivers/tensor_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/error.hpp"

namespace assay::runners {

std::span<const std::byte> tensor_bytes(const checkpoints::Checkpoint& checkpoint, const checkpoints::Tensor& tensor,
                                        std::uint64_t offset, std::uint64_t length, files::Buffer& buffer) {
    const checkpoints::Shard& shard = checkpoint.shards[tensor.shard];
    const files::View view =
        shard.reader->view(tensor.begin + offset, static_cast<std::size_t>(length), buffer);
    if (!view.whole())
        throw Error(fmt::format("cannot read {} in {}: {}", tensor.name, shard.reader->path(), view.fault));
    return view.bytes;
}

bool is_in_memory(const checkpoints::Shard& shard) {
    constexpr double mostly = 0.9;
    return files::resident_share(*shard.reader) >= mostly;
}

unsigned workers_for(const checkpoints::Shard& shard, unsigned threads) {
    constexpr unsigned most_waiting = 32;
    threads = std::max(1U, threads);
    return is_in_memory(shard) ? threads : std::max(threads, std::min(4 * threads, most_waiting));
}

void read_past_cache(checkpoints::Checkpoint& checkpoint) {
    for (checkpoints::Shard& shard : checkpoint.shards) {
        if (shard.reader != nullptr && !is_in_memory(shard))
            shard.reader = files::reopen(*shard.reader, files::Io::direct);
    }
}

}  // namespace assay::runners

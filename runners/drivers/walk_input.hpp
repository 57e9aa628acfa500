// Private to the block walk: what every worker reads from, and how.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

enum class Of : std::uint8_t { source, target };

class WalkInput {
public:
    // Opens every shard again in the way that the options ask for.
    WalkInput(const checkpoints::Opened& source, const checkpoints::Opened& target, const WalkOptions& options);

    [[nodiscard]] const checkpoints::Opened& opened(Of side) const { return side == Of::source ? source_ : target_; }
    [[nodiscard]] const checkpoints::Tensor& tensor(Of side, std::uint32_t index) const {
        return opened(side).checkpoint.tensors[index];
    }
    // Null where the shard is not present.
    [[nodiscard]] const files::ByteReader* reader(Of side, std::uint32_t shard) const {
        return (side == Of::source ? source_readers_ : target_readers_)[shard].get();
    }
    [[nodiscard]] const ScalarRoles& roles() const { return roles_; }  // of the target
    [[nodiscard]] const WalkOptions& options() const { return options_; }
    // Four times as many as threads were asked for where they wait for a disk: some read while others compute.
    [[nodiscard]] unsigned workers() const { return workers_; }
    // Packed bytes of one side that are asked for at once: all buffers together stay below a quarter of a GiB.
    [[nodiscard]] std::uint64_t window_bytes() const { return window_bytes_; }
    // Of one unit, kept.
    [[nodiscard]] std::size_t most_differences() const;
    // Held while a whole weight is in memory.
    [[nodiscard]] std::mutex& large_memory() const { return large_memory_; }

private:
    using Readers = std::vector<std::unique_ptr<files::ByteReader>>;
    [[nodiscard]] static Readers reopened(const checkpoints::Opened& side, const WalkOptions& options);
    [[nodiscard]] bool waits_for_disk() const;

    const checkpoints::Opened& source_;
    const checkpoints::Opened& target_;
    const WalkOptions& options_;
    Readers source_readers_;  // by shard
    Readers target_readers_;
    ScalarRoles roles_;
    unsigned workers_ = 1;
    std::uint64_t window_bytes_ = 0;
    mutable std::mutex large_memory_;
};

}  // namespace assay::runners

// Private to the block walk: one unit of work, and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

struct WalkUnit {
    enum class Kind : std::uint8_t { weights, tensors, source_alone, target_alone };
    Kind kind{};
    std::uint32_t source = 0;  // a module, a tensor, or unused
    std::uint32_t target = 0;
    std::uint64_t bytes = 0;  // of both sides
};

struct UnitResult {
    bit_exact::BlockTally tally;
    std::vector<bit_exact::BlockDifference> differences;
    std::optional<bit_exact::TensorDifference> tensor_difference;
    std::optional<bit_exact::Unreadable> unreadable;
};

// Where digests of tensors go, by index; each written by one unit only.
struct WalkDigests {
    std::vector<checkpoints::Digest> source;
    std::vector<checkpoints::Digest> target;
};

// Reads and compares units for one worker, in buffers of its own.
class UnitReader {
public:
    UnitReader(const checkpoints::Opened& source, const checkpoints::Opened& target, std::size_t most_differences,
               WalkProgress* progress, WalkDigests& digests)
        : source_(source),
          target_(target),
          most_differences_(most_differences),
          progress_(progress),
          digests_(digests) {}

    [[nodiscard]] UnitResult read(const WalkUnit& unit);

private:
    void weights(const checkpoints::Module& source, const checkpoints::Module& target, UnitResult& result);
    void tensors(std::uint32_t source, std::uint32_t target, UnitResult& result);
    void digest_whole(const checkpoints::Checkpoint& checkpoint, std::uint32_t tensor, checkpoints::Digest& digest,
                      UnitResult& result);
    [[nodiscard]] std::vector<float> global_scales(const checkpoints::Opened& side, const checkpoints::Module& module,
                                                   UnitResult& result);
    // Bytes of a tensor, or nothing, the fault then being in `result`.
    [[nodiscard]] std::optional<std::span<const std::byte>> bytes(const checkpoints::Checkpoint& checkpoint,
                                                                  std::uint32_t tensor, std::uint64_t offset,
                                                                  std::uint64_t length, std::size_t buffer,
                                                                  UnitResult& result);

    const checkpoints::Opened& source_;
    const checkpoints::Opened& target_;
    std::size_t most_differences_;
    WalkProgress* progress_;
    WalkDigests& digests_;
    std::array<files::Buffer, 4> buffers_;
};

}  // namespace assay::runners

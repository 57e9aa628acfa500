// Private to the block walk: reads and compares one unit of work, and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runners/drivers/difference_spool.hpp"
#include "runners/drivers/walk_input.hpp"
#include "runners/drivers/walk_plan.hpp"
#include "scorers/bit_exact/comparison.hpp"

namespace assay::runners {

using TensorDigests = std::vector<std::pair<std::uint32_t, checkpoints::Digest>>;  // by tensor

struct UnitResult {
    bit_exact::BlockTally tally;  // settled
    DifferenceSpool differences;  // not settled
    bit_exact::Settlement settlement;
    std::optional<bit_exact::TensorDifference> tensor_difference;
    std::optional<bit_exact::Unreadable> unreadable;
    bool cancelled = false;        // left in the middle: the rest means nothing
    std::uint64_t bytes_read = 0;  // of both sides
    TensorDigests source_digests;  // none of a sample, nor of what was unreadable
    TensorDigests target_digests;
    std::optional<rules::ScaleSurvey> survey;  // of the target's module
    std::vector<std::pair<std::uint32_t, std::vector<float>>> scalars;  // of target tensors that rules ask for
};

// Reads and compares units for one worker, in buffers of its own.
class UnitReader {
public:
    explicit UnitReader(const WalkInput& input) : in_(input), comparison_(input.most_differences()) {}

    [[nodiscard]] UnitResult read(const WalkUnit& unit);

private:
    struct Shown {  // what a buffer holds, for a fault's message
        Of side{};
        std::uint32_t tensor = 0;
    };

    void weights(const checkpoints::Module& source, const checkpoints::Module& target, UnitResult& result);
    void target_weight(const checkpoints::Module& module, UnitResult& result);
    void tensors(std::uint32_t source, std::uint32_t target, UnitResult& result);
    void lone_tensor(Of side, std::uint32_t tensor, UnitResult& result);
    // Reads a small tensor whole: its digest, and its values where rules want them.
    std::vector<float> small_tensor(Of side, std::uint32_t tensor, UnitResult& result);
    // Global scales, and past the input scales.
    std::vector<float> scalars(Of side, const checkpoints::Module& module, UnitResult& result);
    void settle(const checkpoints::Module& source, const checkpoints::Module& target, UnitResult& result);
    [[nodiscard]] bool is_transposed(const checkpoints::Module& source, const checkpoints::Module& target,
                                     UnitResult& result);
    void keep_scalars(Of side, std::uint32_t tensor, std::span<const std::byte> bytes, UnitResult& result);
    void keep_digest(Of side, std::uint32_t tensor, const checkpoints::ByteDigest& hash, UnitResult& result) const;
    [[nodiscard]] std::vector<RowRun> runs(std::uint64_t length, const std::string& name) const;
    // True where the unit is not to be gone on with.
    bool stopped(UnitResult& result) const;

    // Bytes of a tensor, or nothing, the fault then being in `result`.
    [[nodiscard]] std::optional<std::span<const std::byte>> bytes(Of side, std::uint32_t tensor, std::uint64_t offset,
                                                                  std::uint64_t length, std::size_t buffer,
                                                                  UnitResult& result);
    void note_fault(const Shown& shown, const std::string& fault, UnitResult& result) const;
    // Whether the bytes last asked for were the file's while they were looked at. What was made of them is void if not.
    bool intact(std::initializer_list<std::size_t> buffers, UnitResult& result);


    const WalkInput& in_;
    bit_exact::Comparison comparison_;
    std::array<files::Buffer, 4> buffers_;
    std::array<Shown, 4> shown_;
};

}  // namespace assay::runners

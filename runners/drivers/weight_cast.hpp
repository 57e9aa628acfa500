// Private to the shard rewrite: casts one weight, window by window.
#pragma once

#include <optional>
#include <vector>

#include "datasets/cast/record.hpp"
#include "harness/files/placed_file.hpp"
#include "runners/drivers/cast_scales.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

// The parts of a weight that are written to this shard; null where a part lies in another.
struct WeightJob {
    std::uint32_t module = 0;
    const checkpoints::Tensor* payload = nullptr;
    const checkpoints::Tensor* scale = nullptr;
    const checkpoints::Tensor* global = nullptr;
    const checkpoints::Tensor* input_scale = nullptr;
};

struct WeightResult {
    int exponent = 0;
    std::vector<cast::ChangedBlock> changed;  // by block; `weight` is unset
    checkpoints::Digest source_payload{};     // meaningful for parts of this shard
    checkpoints::Digest source_scale{};
    checkpoints::Digest payload{};
    checkpoints::Digest scale{};
    checkpoints::Digest global{};
    checkpoints::Digest input_scale{};
};

class WeightCaster {
public:
    WeightCaster(const cast::CastPlan& plan, CastScales& scales) : plan_(plan), scales_(scales) {}

    // Without a file nothing is written and no digest is made: to see which blocks change.
    [[nodiscard]] WeightResult run(const WeightJob& job, files::PlacedFile* file, WalkProgress* progress);

private:
    void look_outside(std::span<const std::byte> codes, std::uint64_t first, int exponent, WeightResult& result);

    const cast::CastPlan& plan_;
    CastScales& scales_;
    files::Buffer codes_buffer_;
    files::Buffer payload_buffer_;
    std::vector<std::byte> e4m3_;
    std::vector<std::byte> patched_;  // elements of a window in which blocks change
    std::vector<std::uint64_t> outside_;
};

}  // namespace assay::runners

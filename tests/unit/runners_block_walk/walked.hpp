// What the tests of the block walk share: a walk of two folders, and models in pairs of layouts that can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "runners/drivers/block_walk.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::runners {

[[nodiscard]] bit_exact::PairAudit walk(const support::CheckpointFolder& source, const support::CheckpointFolder& target,
                                        const WalkOptions& options = {});

struct Cast {
    support::SmallModel model;
    support::Dialect source;
    support::Dialect target;
};

[[nodiscard]] std::vector<Cast> casts();
[[nodiscard]] std::uint64_t blocks_of(const support::SmallModel& model, unsigned width);

}  // namespace assay::runners

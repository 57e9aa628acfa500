// Block walk: reads two checkpoints once, side by side, and has every block and every other byte compared.
//
// The unit of work is a pair (of weights or tensors) or a tensor that stands alone; units are claimed in the order of
// the source's shards and offsets, and their results are merged in that order, so that no result depends on the
// number of threads. A unit is read by windows of whole rows; memory is bounded by them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/cancel.hpp"
#include "scorers/bit_exact/pair_audit.hpp"

namespace assay::runners {

struct WalkProgress {
    std::atomic<std::uint64_t> bytes_total{0};  // of both sides
    std::atomic<std::uint64_t> bytes_done{0};
};

struct WalkOptions {
    unsigned threads = 1;
    std::size_t most_differences = 20;  // kept in the result; all are counted
    std::function<void(const bit_exact::LocatedDifference&)>
        on_difference;  // where set: called for every one, in order
    const Cancel* cancel = nullptr;
    WalkProgress* progress = nullptr;
};

[[nodiscard]] bit_exact::PairAudit walk_blocks(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                               const checkpoints::Pairing& pairing, const WalkOptions& options);

}  // namespace assay::runners

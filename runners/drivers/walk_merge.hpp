// Private to the block walk: puts results of units together in the order of the plan, whatever order they come in.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "runners/drivers/walk_unit.hpp"

namespace assay::runners {

// Threads: `take` from any; the rest after the last of them.
class Merger {
public:
    Merger(const WalkInput& input, const WalkPlan& plan);

    void take(std::size_t unit, UnitResult result);
    // The whole, with whatever was finished past a unit that was cancelled.
    [[nodiscard]] bit_exact::PairAudit finish(rules::ScalarFacts& facts);

private:
    void merge(const WalkUnit& unit, UnitResult& one);
    void merge_unreadable(const WalkUnit& unit, const bit_exact::Unreadable& one);
    void merge_weights(const WalkUnit& unit, const UnitResult& one);

    const WalkInput& in_;
    const WalkPlan& plan_;
    std::mutex mutex_;
    std::map<std::size_t, UnitResult> waiting_;
    std::size_t merged_ = 0;
    std::uint64_t bytes_read_ = 0;
    bit_exact::PairAudit result_;
    rules::ScalarFacts facts_;
    std::vector<checkpoints::Digest> source_digests_;  // by tensor
    std::vector<checkpoints::Digest> target_digests_;
};

}  // namespace assay::runners

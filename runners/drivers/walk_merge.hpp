// Private to the block walk: puts results of units together in the order of the plan, whatever order they come in.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "runners/drivers/walk_state.hpp"
#include "runners/drivers/walk_unit.hpp"

namespace assay::runners {

// Threads: `wait_for_turn`, `take` and `abandon` from any; the rest after the last of them.
class Merger {
public:
    // Of the units of `range`; `identity`: of the state that the options ask for (walk_identity.hpp).
    Merger(const WalkInput& input, const WalkPlan& plan, UnitRange range, std::string identity);

    [[nodiscard]] const UnitRange& range() const noexcept { return range_; }
    // Takes what an earlier process finished, before the first worker; the unit to begin with.
    [[nodiscard]] std::size_t restore();
    // The same, from elsewhere: units from `first` on.
    void take_saved(std::size_t first, std::vector<SavedUnit> saved);

    // Returns when the unit is not too far ahead of the first that is not merged, so that few results wait in memory.
    // False where the walk ends.
    [[nodiscard]] bool wait_for_turn(std::size_t unit);
    void take(std::size_t unit, UnitResult result);
    // A worker failed: nobody is to wait for its unit.
    void abandon();
    // Writes the state; false where the walk was cancelled.
    [[nodiscard]] bool close();
    // The whole, with whatever was finished past a unit that was cancelled.
    [[nodiscard]] bit_exact::PairAudit finish(const checkpoints::Pairing& pairing, rules::ScalarFacts& facts);

private:
    // Of the next unit, or, after a cancel, of one further on.
    void merge(const WalkUnit& unit, UnitResult& one, bool restored);
    void merge_unreadable(const WalkUnit& unit, const bit_exact::Unreadable& one);
    // Returns what of its differences the result keeps.
    std::vector<bit_exact::BlockDifference> merge_weights(const WalkUnit& unit, const UnitResult& one, bool restored);
    void record(const WalkUnit& unit, const UnitResult& one, const std::vector<bit_exact::BlockDifference>& shown);
    void find_renamed(const checkpoints::Pairing& pairing);

    const WalkInput& in_;
    const WalkPlan& plan_;
    UnitRange range_;
    WalkState state_;
    bool in_order_ = true;  // false while what lies past a cancelled unit is merged
    std::mutex mutex_;
    std::condition_variable progress_;
    std::map<std::size_t, UnitResult> waiting_;
    std::size_t merged_;  // the next unit to merge in turn
    bool ends_ = false;       // cancelled or abandoned
    std::uint64_t bytes_read_ = 0;
    bit_exact::PairAudit result_;
    rules::ScalarFacts facts_;
    std::vector<checkpoints::Digest> source_digests_;  // by tensor; zeros where there is none
    std::vector<checkpoints::Digest> target_digests_;
};

}  // namespace assay::runners

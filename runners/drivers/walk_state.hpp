// WalkState: what a walk has finished, on disk, so that another process can go on.
//
// JSON lines. The first says of which checkpoints and options (walk_identity.hpp). Each further line is a finished unit, in
// the order of the plan: name, tally, digests, survey, the blocks that differ which a report would show. The file is replaced as a whole, so that it is
// whole whenever the process ends.
// Threads: one at a time. Errors: assay::Error where the file is of other checkpoints or options, damaged, or cannot be
// written.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "runners/drivers/walk_unit.hpp"

namespace assay::runners {

struct SavedUnit {
    UnitResult result;
    std::uint64_t written = 0;  // bytes of the differences' file when it was finished
};

class WalkState {
public:
    // Of the units of `range`. Nothing is kept where `path` is empty.
    WalkState(const WalkInput& input, const WalkPlan& plan, UnitRange range, std::string path, std::string identity);

    [[nodiscard]] bool kept() const noexcept { return !path_.empty(); }
    // Units that an earlier process finished, from the start of the range.
    [[nodiscard]] std::vector<SavedUnit> load();
    // The next unit of the plan. `shown`: its blocks that differ, settled, which the result keeps.
    void add(const WalkUnit& unit, const UnitResult& result, const std::vector<bit_exact::BlockDifference>& shown,
             std::uint64_t written);
    // Writes the file where it is due: after a second, and then more and more seldom, to once a minute.
    void write_when_due();
    void write();

private:
    const WalkInput& in_;
    const WalkPlan& plan_;
    UnitRange range_;
    std::string path_;
    std::string header_;
    std::string lines_;
    std::size_t units_ = 0;
    bool changed_ = false;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point written_;
};

}  // namespace assay::runners

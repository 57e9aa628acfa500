// DifferenceSpool: blocks of one weight that differ, in order, however many; past a limit they wait in a temporary file.
//
// One thread at a time. Errors: assay::Error where the temporary file cannot be written or read (TMPDIR chooses its
// folder); it has no name, so that nothing is left behind.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/loop/file_descriptor.hpp"
#include "scorers/bit_exact/difference.hpp"

namespace assay::runners {

class DifferenceSpool {
public:
    static constexpr std::size_t most_in_memory = std::size_t{1} << 15;

    // Moves them out of `some`.
    void add(std::vector<bit_exact::BlockDifference>& some);
    // Calls `take` with each, in order, until it returns false.
    void each(const std::function<bool(const bit_exact::BlockDifference&)>& take) const;
    [[nodiscard]] std::uint64_t size() const noexcept { return in_file_ + memory_.size(); }

private:
    void spill();

    std::uint64_t in_file_ = 0;  // the first ones
    std::vector<bit_exact::BlockDifference> memory_;
    loop::FileDescriptor file_;
};

}  // namespace assay::runners

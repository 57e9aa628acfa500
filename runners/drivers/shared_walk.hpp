// Shared walk: the block walk of one pair, its units handed out among the ranks of a job.
//
// A part is a run of units of one shard. Each rank takes the largest that nobody has, and leaves what it finished of it as a
// file in the job's folder; the first rank puts them together in the order of the plan. So the result is that of walk_blocks
// byte for byte, and a job that ended early goes on from its folder, with any number of ranks:
//
//   audit.jsonl                 of which checkpoints and options the folder is
//   part-00012.jsonl            a part that is finished
//   part-00012.begun.jsonl      one that is not, as far as it came
//   part-00012.differences.jsonl  where differences are asked for
//   claims/                     who has which part
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/ranks/ranks.hpp"
#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

struct SharedWalkOptions {
    WalkOptions walk;    // without on_difference and the functions of `state`; its path is unused
    std::string folder;  // seen by all ranks; made where it is not there
    std::uint64_t part_bytes = std::uint64_t{8} << 30;  // of both sides; a part ends with the unit that reaches it
    // Where walk.state.differences is set: a difference as a line of that file, with its line end.
    std::function<std::string(const bit_exact::LocatedDifference&)> line_of;
    // On the first rank, before the walk: a part that an earlier start had in hand, and who.
    std::function<void(const std::string&)> on_taken_up;
};

// Collective: every rank calls it with the same checkpoints and options. The result is whole on the first rank; on the others
// only `cancelled` means something. A cancel ends its own rank; the others take what is left, and the result is cancelled.
// Errors: assay::Error where the folder is of other checkpoints or options (what has changed is named), damaged, or cannot be
// written.
[[nodiscard]] bit_exact::PairAudit walk_blocks_shared(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                                      const checkpoints::Pairing& pairing, const SharedWalkOptions& options,
                                                      ranks::Ranks& ranks);

}  // namespace assay::runners

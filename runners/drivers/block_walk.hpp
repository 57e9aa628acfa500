// Block walk: reads two checkpoints once, side by side, and has every block and every other byte compared.
//
// The unit of work is a pair (of weights or tensors) or a weight or tensor that stands alone; units are claimed in the
// order of the source's shards and offsets, and their results are merged in that order, so that no result depends on
// the number of threads. A unit is read by windows of whole rows; memory is bounded by them. What the rules ask of the
// target's scales is collected on the way: no byte is read a second time for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/cancel.hpp"
#include "harness/files/byte_reader.hpp"
#include "runners/drivers/sample.hpp"
#include "runners/drivers/walk_scalars.hpp"
#include "scorers/bit_exact/pair_audit.hpp"

namespace assay::runners {

// Where what is finished is kept, so that an interrupted walk can be gone on with (walk_state.hpp).
struct WalkStateOptions {
    std::string path;         // empty: it is not kept
    std::string version;      // of the program: another one's state is refused
    std::string differences;  // where on_difference puts them; empty where it is not set
    // Where on_difference is set: its bytes so far, and the wish that all after those be dropped (once, before the
    // first difference; 0 where the walk begins anew).
    std::function<std::uint64_t()> differences_bytes;
    std::function<void(std::uint64_t)> keep_differences;
};

struct WalkOptions {
    unsigned threads = 1;
    std::size_t most_differences = 20;  // kept in the result; all are counted
    std::function<void(const bit_exact::LocatedDifference&)>
        on_difference;            // where set: called for every one, in order; not for those of units gone past
    std::optional<Sample> sample;  // unset: every byte
    files::Io io = files::Io::automatic;
    WalkStateOptions state;
    const Cancel* cancel = nullptr;
    WalkProgress* progress = nullptr;  // its total is set where it is 0: else the walk is a part of something larger
    // Where given: filled with what rules ask of the target. Surveys of a sample, of unreadable weights, and after a
    // cancel are not `whole`.
    rules::ScalarFacts* target_facts = nullptr;
};

[[nodiscard]] bit_exact::PairAudit walk_blocks(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                               const checkpoints::Pairing& pairing, const WalkOptions& options);

}  // namespace assay::runners

// PairAudit: what comparing a checkpoint with its source came to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/checkpoints/fingerprint.hpp"
#include "scorers/bit_exact/block_tally.hpp"

namespace assay::bit_exact {

// A block that differs, with the weight it lies in.
struct LocatedDifference {
    std::string weight;
    std::string source_shard;
    std::string target_shard;
    BlockDifference block;
};

// A tensor that should be the same bytes and is not.
struct TensorDifference {
    std::string tensor;
    std::uint64_t first_byte = 0;  // from the start of the tensor
    std::uint64_t bytes = 0;       // how many differ
};

// A tensor of the source and the one that holds its bytes in the target, by their indexes.
struct Renamed {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
};

// Bytes that could not be read; what they belong to was not compared.
struct Unreadable {
    std::string tensor;
    std::string shard;
    std::string fault;
};

// That only a random part was read, and which.
struct SampledPart {
    double fraction = 0;  // asked for, of the rows of each weight and the pages of each tensor; at least one of each
    std::uint64_t seed = 0;
    std::uint64_t bytes = 0;  // read, of both sides
    std::uint64_t bytes_all = 0;
};

struct PairAudit {
    BlockTally blocks;
    std::uint64_t weights = 0;  // FP4 weights compared whole
    std::uint64_t weights_exact = 0;
    std::vector<LocatedDifference> differences;  // the first, by shard, offset, row and block of the source
    std::uint64_t tensors = 0;                   // compared byte for byte, whole
    std::uint64_t tensors_identical = 0;
    std::vector<TensorDifference> tensor_differences;
    std::vector<Renamed> renamed;  // of those without a counterpart: same dtype, size and digest; by the source's name
    std::vector<Unreadable> unreadable;
    std::uint64_t unread_blocks = 0;  // of weights in `unreadable`, at the source's width
    bool cancelled = false;           // stopped early: counts are of what was compared until then
    std::optional<SampledPart> sample;  // unset: everything was read; set: every count is of the part that was read
    // Of each side's contents. Unset where a part of it is not known: unreadable, sampled or cancelled, a shard that is
    // missing or has a faulty header. A fingerprint of a part would name nothing.
    std::optional<checkpoints::Digest> source_fingerprint;
    std::optional<checkpoints::Digest> target_fingerprint;
};

}  // namespace assay::bit_exact

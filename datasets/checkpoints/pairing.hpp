// Pairing: which weight and tensor of one checkpoint answers to which of another.
//
// Weights in FP4 pair by name, whatever their layouts; everything else pairs by tensor name and is compared byte for
// byte (FP8 weights and their scales too). Indexes are into the Opened checkpoints that were paired.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"

namespace assay::checkpoints {

// A checkpoint and what was recognised in it.
struct Opened {
    Checkpoint checkpoint;
    Recognition recognition;
};

struct IndexPair {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
};

// One name on both sides that stands for things which cannot be compared.
struct Mismatch {
    std::string name;
    std::string message;  // "is BF16 [2, 3] in the source and F32 [2, 3] in the target"
};

struct Pairing {
    std::vector<IndexPair> weights;      // modules, by the source's name
    std::vector<IndexPair> tensors;      // of equal dtype and shape, by name
    std::vector<Mismatch> mismatches;    // by name
    std::vector<std::uint32_t> missing;  // source tensors that the target lacks, ascending
    std::vector<std::uint32_t> extra;    // target tensors that the source lacks, ascending; input scales of paired
                                         //   weights are not among them
};

[[nodiscard]] Opened open_and_recognise(const std::string& path);
[[nodiscard]] Pairing pair_up(const Opened& source, const Opened& target);

}  // namespace assay::checkpoints

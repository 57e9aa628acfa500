// ReversePlan: the MXFP4 checkpoint that a cast was made from, tensor by tensor.
//
// With assay-cast.json the source's headers are taken from there, byte for byte, and so are blocks that could not keep their
// scale or elements. Without it the usual layout of the source is assumed and the reference writer's header; whether a block
// under the smallest scale was moved cannot be told then.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/cast/record.hpp"
#include "datasets/checkpoints/pairing.hpp"

namespace assay::cast {

enum class Undoing : std::uint8_t {
    copy,     // `origin` is a tensor of the cast
    payload,  // `origin` is a module of the cast
    scale,
};

struct UndoneTensor {
    checkpoints::Tensor tensor;  // of the source as it was
    Undoing undoing{};
    std::uint32_t origin = 0;
    std::optional<checkpoints::Digest> digest;  // of the source's bytes, where a record tells
};

struct UndoneShard {
    std::string file;
    std::string header;
    std::vector<UndoneTensor> tensors;  // in the order of the file
    std::uint64_t bytes = 0;
};

// Blocks that a record tells of, by weight, ascending.
using ChangedBlocks = std::unordered_map<std::string, std::vector<ChangedBlock>>;

struct ReversePlan {
    std::vector<UndoneShard> shards;
    ChangedBlocks changed;
    bool recorded = false;  // made from assay-cast.json
};

// The shards of an assay-cast.json, as text; throws assay::Error where it is none, or of a newer format.
[[nodiscard]] std::vector<ShardRecord> parse_cast_report(std::string_view json, const std::string& where);

// `cast` is the NVFP4 checkpoint. Throws assay::Error, naming the tensor, where it lacks one that the records tell of, or has
// it in another shape.
[[nodiscard]] ReversePlan plan_reverse(const checkpoints::Opened& cast, const std::vector<ShardRecord>& records);
[[nodiscard]] ReversePlan plan_reverse(const checkpoints::Opened& cast);

}  // namespace assay::cast

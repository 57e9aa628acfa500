// What digests of a rebuilt source say of the cast, beside digests of the source that were given.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/checkpoints/rebuilt_digests.hpp"
#include "scorers/rules/finding.hpp"

namespace assay::rules {

// Digests that were given, and how many of them the rebuilt source has. What could not be rebuilt is among neither.
struct DigestCounts {
    std::uint64_t files = 0;  // .safetensors files that were given
    std::uint64_t files_same = 0;
    std::uint64_t tensors = 0;
    std::uint64_t tensors_same = 0;
};

// Of a rebuilt source alone: a warning for everything that was not rebuilt.
[[nodiscard]] std::vector<Finding> rebuild_findings(const checkpoints::RebuiltDigests& rebuilt);

// Against digests that were given: an error for each tensor or file that has another sha256 or is not there. A file whose
// digest differs while digests of all tensors were given and are the same is a warning: it was laid out in another way.
[[nodiscard]] std::vector<Finding> digest_findings(const checkpoints::RebuiltDigests& rebuilt,
                                                   const checkpoints::DigestList& given, DigestCounts& counts);

}  // namespace assay::rules

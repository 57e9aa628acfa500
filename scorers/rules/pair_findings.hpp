// Findings of a comparison with a source: tensors that are missing, new, different or unreadable.
//
// Blocks that differ are not among them; they have their own list (PairAudit::differences).
//
// | rule             | severity | when |
// |------------------|----------|------|
// | pair.renamed     | warning  | a tensor of the source has its bytes under another name; error for a part of an FP4 weight, whose blocks were not compared |
// | pair.missing     | error    | a tensor of the source has no counterpart |
// | pair.extra       | warning  | a tensor stands in the target alone |
// | pair.mismatch    | error    | one name, and shapes, dtypes or geometry that cannot be compared |
// | pair.bytes       | error    | a tensor that is carried over has other bytes |
// | pair.unreadable  | error    | bytes could not be read, so what they belong to was not compared |
#pragma once

#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "scorers/bit_exact/pair_audit.hpp"
#include "scorers/rules/finding.hpp"

namespace assay::rules {

// In the order of the table, then by name.
[[nodiscard]] std::vector<Finding> pair_findings(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                                 const checkpoints::Pairing& pairing,
                                                 const bit_exact::PairAudit& audit);

}  // namespace assay::rules

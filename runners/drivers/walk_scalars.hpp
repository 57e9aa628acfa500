// The small values that rules ask for, read from a checkpoint.
#pragma once

#include "datasets/checkpoints/pairing.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {

[[nodiscard]] rules::ScalarFacts read_scalars(const checkpoints::Opened& opened);

}  // namespace assay::runners

// The small values that rules ask for, read from a checkpoint.
#pragma once

#include "datasets/checkpoints/pairing.hpp"
#include "harness/cancel.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {

// Global and input scales and A_log. `surveys` has one empty survey a module.
[[nodiscard]] rules::ScalarFacts read_scalars(const checkpoints::Opened& opened);

// Surveys the block scales of every FP4 weight, on several threads: reads all scales, and of the packed elements those
// windows of a weight that hold a scale of code 0. What is not `whole` afterwards could not be read, or was cancelled.
void survey_scales(const checkpoints::Opened& opened, unsigned threads, const Cancel* cancel,
                   rules::ScalarFacts& facts);

}  // namespace assay::runners

// The order in which attempts are asked: shuffled, so that a prefix of a run is a fair sample of it, yet fixed.
//
// The place of an attempt depends on (seed, question) alone: more seeds or another --limit only insert or
// leave out, and never swap two attempts. The sort key is SplitMix64's finaliser (Steele, Lea, Flood 2014)
// over the pair.
#pragma once

#include <vector>

#include "datasets/runs/attempt.hpp"

namespace assay::runners {

// Every (seed, question) of the two lists, in dispatch order.
[[nodiscard]] std::vector<runs::AttemptKey> dispatch_order(const std::vector<int>& seeds, const std::vector<int>& questions);

// The same seed by seed in the order given, each seed's questions shuffled: for a run that may stop after any of its seeds.
[[nodiscard]] std::vector<runs::AttemptKey> dispatch_order_by_seed(const std::vector<int>& seeds, const std::vector<int>& questions);

}  // namespace assay::runners

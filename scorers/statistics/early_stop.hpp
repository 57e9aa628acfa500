// Stopping when the interval for this test is narrow enough, and what that costs.
//
// A run that adds seeds until +/- t_{k-1} s/sqrt(k) is at most h stops sooner where s happens to come out small, so that the interval
// it then has is too narrow by a little: it holds the mean less often than 95 %. (The mean itself is not biased by it: sample mean and sd
// of normal values are independent. Stopping by precision is nearly harmless for many seeds: Chow and Robbins 1965.) Few seeds make the
// worst of it, so no look is made before `first_look_for_precision`.
#pragma once

#include <cstdint>
#include <span>

namespace assay::statistics {

inline constexpr int first_look_for_precision = 5;  // seeds
inline constexpr int first_look_for_gate = 4;

// Half the width of the interval for this test only, 95 %, as seed_intervals() has it: seeds that all came to the same score by luck
// do not end a run. Right answers by seed, two or more, and by question.
[[nodiscard]] double half_width_of_this_test(std::span<const std::int64_t> by_seed, std::span<const std::int64_t> by_question);

// How often an interval that is found so holds the mean: 20,000 runs of up to `most` seeds (at most 100 are simulated) whose scores are
// normal with `sd`, looked at from `first` seeds on and stopped at the first half-width of at most `bound`, or at the end. Philox draws
// of a fixed seed: the same figure everywhere. sd and bound above 0, 2 <= first <= most.
[[nodiscard]] double coverage_when_stopped(double sd, double bound, int first, int most);

}  // namespace assay::statistics

// Gate: may run B take the place of run A? Non-inferiority with a margin fixed before looking, one-sided 5 %.
//
//   pass          the lower bound of B - A lies above -margin
//   fail          the upper bound lies below -margin
//   inconclusive  neither; "no significant difference" is no pass
//
// Bounds come from whichever error is wider: over questions like these (t), or of these very questions (normal); with one seed
// each, Tango's score interval too. What variance cannot show is bounded besides:
//   unseen   a share of 1 - 0.05^(1/Q) of questions on which B fails altogether may be absent from a test of Q, so no lower
//            bound is above minus that: equal tables do not pass a margin that their number of questions cannot show
//   lost     with 8 seeds or more each, questions of which B lost half or more, less those it won so, as a Clopper-Pearson
//            share of Q: a few whole questions lost are too skewed for t
#pragma once

#include <cstdint>
#include <optional>

#include "scorers/statistics/run_comparison.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

enum class GateVerdict : unsigned char { pass, fail, inconclusive };

[[nodiscard]] const char* to_string(GateVerdict verdict);  // "PASS", "FAIL", "INCONCLUSIVE"

// What made the lower bound as low as it is.
enum class GateLimit : unsigned char { questions, this_test, single_runs, unseen, lost, constant };

// A run that is looked at while seeds are added gets many chances to pass by luck. So every look but the last asks for bounds at
// 99.9 % instead of 95 % (Haybittle 1971, Peto et al. 1976), which leaves the chance of a false pass over all looks about where one
// look has it. What concerns the questions alone (unseen, lost) is the same at every look and stays at 95 %.
enum class GateLook : unsigned char { last, interim };

struct Gate {
    double margin = 0;  // a fraction, above 0
    GateVerdict verdict = GateVerdict::inconclusive;
    double level = 0.95;  // of each bound, one-sided
    double lower = 0;  // both within [-1, 1], as a difference of scores is: cut there
    double upper = 0;
    GateLimit limit = GateLimit::questions;
    double unseen = 0;  // the share above
    std::int64_t lost = 0;  // questions, net

    // Where inconclusive: how many more seeds would decide, were the difference and the variances to stay. Of B alone, or of
    // both runs; absent where none would. Not known where no run has two seeds, nor at an interim look.
    bool more_seeds_known = false;
    std::optional<std::int64_t> more_seeds_b;
    std::optional<std::int64_t> more_seeds_both;

    // Cells without a score: the verdict holds however they would have come out.
    std::int64_t unscored = 0;
};

[[nodiscard]] Gate gate(const RunComparison& comparison, double margin, GateLook look = GateLook::last);

// The same where cells may be without a score: a pass must hold with all of B's wrong and all of A's right, a failure with
// the opposite. Bounds are those of the less favourable table for a pass. Tables as for compare_runs(); absent where it is.
[[nodiscard]] std::optional<Gate> gate_with_unscored(const SeedTable& a, const SeedTable& b, double margin, GateLook look = GateLook::last);

}  // namespace assay::statistics

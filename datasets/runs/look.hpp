// Look: a moment at which a run was asked whether it may stop adding seeds, and what came of it.
//
// Looks are made after whole seeds only: every question answered by each of `seeds`, in a fixed order of seeds. So a look is a
// function of those replies alone, and one that was made and not recorded comes out the same when it is made again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::runs {

namespace decision {
inline constexpr std::string_view begin = "begin";    // a rule was given; `seeds` were whole by then and always count
inline constexpr std::string_view go_on = "go on";
inline constexpr std::string_view stop = "stop";      // the run is its `seeds`; replies of others are outside
inline constexpr std::string_view end = "end";        // the last of the seeds asked for, and the rule was not met
inline constexpr std::string_view lifted = "lifted";  // a later command went on without this rule
}  // namespace decision

struct Look {
    std::string rule;        // as given, with what it refers to: "gate-decided, margin 2, reference runs/a"
    std::vector<int> seeds;  // looked at, ascending
    std::string decision;    // one of decision::; others, of later versions, say nothing
    std::optional<double> bound;       // the rule's, a fraction: half-width wished for, or the gate's margin
    std::optional<double> half_width;  // fractions: of the interval for this test
    std::optional<double> lower;       // of the gate's bounds, one-sided at `level`
    std::optional<double> upper;
    std::optional<double> level;
    std::string verdict;  // of the gate: "PASS", "FAIL", "INCONCLUSIVE"
    std::optional<double> unix_s;
};

}  // namespace assay::runs

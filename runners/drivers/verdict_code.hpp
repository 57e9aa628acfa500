// How a command that printed a score ends.
#pragma once

#include <optional>

#include "runners/commands/command.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::runners {

// Whether a score reaches a limit in percent, whatever the attempts without a score would have come to.
enum class LimitEnd : unsigned char { reached, missed, open };
[[nodiscard]] LimitEnd limit_end(const statistics::Summary& summary, double fail_under);

// `fail_under` is in percent. A score that is not decided (attempts unscored or missing) ends exit_undecided,
// unless even its upper bound misses `fail_under`. A score at the limit passes.
[[nodiscard]] ExitCode code_of_score(const statistics::Summary& summary, const std::optional<double>& fail_under);

}  // namespace assay::runners

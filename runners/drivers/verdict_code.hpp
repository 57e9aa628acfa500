// How a command that printed a score ends.
#pragma once

#include <optional>

#include "runners/commands/command.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::runners {

// `fail_under` is in percent. A score that is not decided (attempts unscored or missing) ends exit_undecided,
// unless even its upper bound misses `fail_under`. A score at the limit passes.
[[nodiscard]] ExitCode code_of_score(const statistics::Summary& summary, const std::optional<double>& fail_under);

}  // namespace assay::runners

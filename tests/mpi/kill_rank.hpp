// A rank of a job that dies in the middle of its work.
#pragma once

#include <functional>
#include <string>

#include "tests/support/running_program.hpp"

namespace assay::support {

// Kills rank `rank` of `job` while it holds a claim in the folder `claims` on a part that is not `finished`.
// False where the job ended before that came about.
[[nodiscard]] bool kill_rank_at_work(RunningProgram& job, int rank, const std::string& claims,
                                     const std::function<bool(const std::string& part)>& finished);

}  // namespace assay::support

#include "runners/commands/one_task.hpp"

#include <fmt/format.h>

#include "harness/error.hpp"
#include "harness/ranks/launched.hpp"

namespace assay::runners {

void require_one_task(const std::string& destination, const std::string& shared_by, bool knows_ranks) {
    const auto launched = ranks::launched_among();
    if (!launched) return;
    const std::string what = fmt::format("this is task {} of {} that {} started", launched->number + 1, launched->count, launched->by);
    if (knows_ranks)
        throw Error(fmt::format("{}, but MPI shows it no other, so that each would write {}: start it with what this MPI knows, "
                                "such as srun --mpi=pmix (srun --mpi=list shows what there is)",
                                what, destination));
    const std::string instead = shared_by.empty() ? "" : fmt::format("{} in its place, whose ranks share the work, or ", shared_by);
    throw Error(fmt::format("{}, and each would write {}: start {}one task; where each has a destination of its own, unset {}", what,
                            destination, instead, launched->variable));
}

}  // namespace assay::runners

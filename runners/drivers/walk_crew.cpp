#include "runners/drivers/walk_crew.hpp"

#include <atomic>

#include "harness/parallel/workers.hpp"

namespace assay::runners {
namespace {

void work(const WalkInput& input, const WalkPlan& plan, std::atomic<std::size_t>& next, Merger& merger) {
    const Cancel* const cancel = input.options().cancel;
    UnitReader reader(input);
    for (std::size_t unit = next++; unit < merger.range().end && merger.wait_for_turn(unit); unit = next++) {
        UnitResult result;
        result.cancelled = cancel != nullptr && cancel->raised();
        if (!result.cancelled) result = reader.read(plan.units[unit]);
        merger.take(unit, std::move(result));
    }
}

}  // namespace

void read_units(const WalkInput& input, const WalkPlan& plan, Merger& merger) {
    std::atomic<std::size_t> next{merger.restore()};
    parallel::run_workers(input.workers(), [&](unsigned) {
        try {
            work(input, plan, next, merger);
        } catch (...) {
            merger.abandon();
            throw;
        }
    });
}

}  // namespace assay::runners

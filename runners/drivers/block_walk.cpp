#include "runners/drivers/block_walk.hpp"

#include <atomic>

#include "harness/parallel/workers.hpp"
#include "runners/drivers/walk_merge.hpp"

namespace assay::runners {
namespace {

void work(const WalkInput& input, const WalkPlan& plan, std::atomic<std::size_t>& next, Merger& merger) {
    const Cancel* const cancel = input.options().cancel;
    UnitReader reader(input);
    for (std::size_t unit = next++; unit < plan.units.size() && merger.wait_for_turn(unit); unit = next++) {
        UnitResult result;
        result.cancelled = cancel != nullptr && cancel->raised();
        if (!result.cancelled) result = reader.read(plan.units[unit]);
        merger.take(unit, std::move(result));
    }
}

}  // namespace

bit_exact::PairAudit walk_blocks(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing, const WalkOptions& options) {
    const WalkPlan plan = plan_walk(source, target, pairing);
    if (options.progress != nullptr && options.progress->bytes_total == 0) {
        const double share = options.sample ? options.sample->fraction : 1;
        options.progress->bytes_total = static_cast<std::uint64_t>(static_cast<double>(plan.bytes()) * share);
    }
    const WalkInput input(source, target, options);
    Merger merger(input, plan);
    std::atomic<std::size_t> next{merger.restore()};
    parallel::run_workers(input.workers(), [&](unsigned) {
        try {
            work(input, plan, next, merger);
        } catch (...) {
            merger.abandon();
            throw;
        }
    });
    rules::ScalarFacts facts;
    bit_exact::PairAudit audit = merger.finish(pairing, facts);
    if (options.target_facts != nullptr) {
        if (!audit.cancelled && !options.sample)
            survey_scales_of(target, plan.unsurveyed, options.threads, options.cancel, facts);
        *options.target_facts = std::move(facts);
    }
    return audit;
}

}  // namespace assay::runners

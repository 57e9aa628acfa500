#include "runners/drivers/block_walk.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "harness/parallel/workers.hpp"
#include "runners/drivers/walk_merge.hpp"

namespace assay::runners {

bit_exact::PairAudit walk_blocks(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing, const WalkOptions& options) {
    const WalkPlan plan = plan_walk(source, target, pairing);
    if (options.progress != nullptr) {
        const double share = options.sample ? options.sample->fraction : 1;
        options.progress->bytes_total = static_cast<std::uint64_t>(static_cast<double>(plan.bytes()) * share);
    }
    const ScalarRoles roles(target);
    const WalkInput input{
        source, target, roles, options,
        options.on_difference ? std::numeric_limits<std::size_t>::max() : options.most_differences};
    Merger merger(input, plan);
    std::atomic<std::size_t> next{0};
    parallel::run_workers(std::max(1U, options.threads), [&](unsigned) {
        UnitReader reader(input);
        for (std::size_t unit = next++; unit < plan.units.size(); unit = next++) {
            UnitResult result;
            result.cancelled = options.cancel != nullptr && options.cancel->raised();
            if (!result.cancelled) result = reader.read(plan.units[unit]);
            const bool stop = result.cancelled;
            merger.take(unit, std::move(result));
            if (stop) return;
        }
    });
    rules::ScalarFacts facts;
    bit_exact::PairAudit audit = merger.finish(facts);
    if (options.target_facts != nullptr) {
        if (!audit.cancelled && !options.sample)
            survey_scales_of(target, plan.unsurveyed, options.threads, options.cancel, facts);
        *options.target_facts = std::move(facts);
    }
    return audit;
}

}  // namespace assay::runners

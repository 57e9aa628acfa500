#include "runners/drivers/block_walk.hpp"

#include "runners/drivers/walk_crew.hpp"
#include "runners/drivers/walk_identity.hpp"

namespace assay::runners {

bit_exact::PairAudit walk_blocks(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing, const WalkOptions& options) {
    const WalkPlan plan = plan_walk(source, target, pairing);
    if (options.progress != nullptr && options.progress->bytes_total == 0) {
        const double share = options.sample ? options.sample->fraction : 1;
        options.progress->bytes_total = static_cast<std::uint64_t>(static_cast<double>(plan.bytes()) * share);
    }
    const WalkInput input(source, target, options);
    Merger merger(input, plan, plan.all(), options.state.path.empty() ? "" : identity_of(input, plan));
    read_units(input, plan, merger);
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

#include "runners/drivers/cast_verify.hpp"

#include <fmt/format.h>

#include "runners/drivers/walk_scalars.hpp"
#include "scorers/rules/pair_findings.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {

using namespace checkpoints;

std::optional<bit_exact::PairAudit> audit_shard(const std::string& source, const std::string& target,
                                                const WalkOptions& options) {
    const Opened from = open_and_recognise(source);
    if (!from.recognition.broken.empty()) return std::nullopt;
    const Opened to = open_and_recognise(target);
    return walk_blocks(from, to, pair_up(from, to), options);
}

std::string first_fault(const bit_exact::PairAudit& audit, const cast::ShardCounts& counts) {
    if (!audit.unreadable.empty()) {
        const bit_exact::Unreadable& one = audit.unreadable.front();
        return fmt::format("{} in {} cannot be read back: {}", one.tensor, one.shard, one.fault);
    }
    if (!audit.tensor_differences.empty()) {
        const bit_exact::TensorDifference& one = audit.tensor_differences.front();
        return fmt::format("{} differs from the source at byte {}", one.tensor, one.first_byte);
    }
    if (audit.blocks.blocks != counts.blocks)
        return fmt::format("{} of {} blocks were found", audit.blocks.blocks, counts.blocks);
    if (audit.blocks.exact + counts.rounded + counts.nan >= audit.blocks.blocks) return {};
    for (const bit_exact::LocatedDifference& one : audit.differences) {
        if (static_cast<std::size_t>(one.block.kind) < bit_exact::value_equal_count) continue;
        return fmt::format("{} row {} block {} differs from the source ({}: {} became {})", one.weight, one.block.row,
                           one.block.block, to_string(one.block.kind), one.block.source_value, one.block.target_value);
    }
    return fmt::format("{} blocks differ from the source", audit.blocks.blocks - audit.blocks.exact);
}

namespace {

std::vector<rules::Finding> asked_of(const Opened& made) {
    std::vector<rules::Finding> findings;
    std::vector<rules::Rule> chosen;
    for (const rules::Rule& rule : rules::all_rules()) {
        // Every block scale was compared with its source already.
        if (!rule.id.starts_with("block_scale.")) chosen.push_back(rule);
    }
    rules::ask(chosen, made, read_scalars(made), findings);
    return findings;
}

// Names and shapes of one shard; false where its weights are split over several, so that one alone says too little.
bool pair_shard(const ShardFiles& shard, bool first, std::vector<rules::Finding>& findings) {
    Opened from = open_and_recognise(shard.source);
    if (!from.recognition.broken.empty()) return false;
    if (!first) from.checkpoint.model = {};  // what is to be said of the model is said once
    const Opened to = open_and_recognise(shard.target);
    for (rules::Finding& finding : rules::pair_findings(from, to, pair_up(from, to), {}))
        findings.push_back(std::move(finding));
    return true;
}

std::vector<rules::Finding> paired(const std::string& source, const std::string& target,
                                   const std::vector<ShardFiles>& shards) {
    std::vector<rules::Finding> findings;
    for (const ShardFiles& shard : shards) {
        if (pair_shard(shard, &shard == shards.data(), findings)) continue;
        const Opened from = open_and_recognise(source);
        const Opened to = open_and_recognise(target);
        return rules::pair_findings(from, to, pair_up(from, to), {});
    }
    return findings;
}

}  // namespace

std::vector<rules::Finding> audit_whole(const std::string& source, const std::string& target,
                                        const std::vector<ShardFiles>& shards) {
    std::vector<rules::Finding> findings = asked_of(open_and_recognise(target));
    for (rules::Finding& finding : paired(source, target, shards)) findings.push_back(std::move(finding));
    return findings;
}

cast::Verified verified(const bit_exact::PairAudit& audit) {
    return {audit.blocks.blocks, audit.blocks.exact, audit.blocks.payload_equal, audit.blocks.max_abs_err,
            audit.weights,       audit.tensors,      audit.tensors_identical};
}

}  // namespace assay::runners

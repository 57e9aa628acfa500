#include <fmt/format.h>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_header_faults(const RuleInput& input, std::vector<Finding>& findings) {
    for (const checkpoints::Shard& shard : input.opened.checkpoint.shards) {
        for (const checkpoints::HeaderFault& fault : shard.faults) {
            // The reference reader lets leading white space pass.
            const bool passes = fault.kind == checkpoints::HeaderFaultKind::leading_byte && shard.header_bytes != 0;
            findings.push_back({"header.fault",
                                passes ? Severity::warning : Severity::error,
                                shard.file,
                                fault.tensor,
                                {},
                                {},
                                fmt::format("{}: {}", to_string(fault.kind), fault.message),
                                passes ? "strict readers refuse the file"
                                       : "loaders refuse the file, or map wrong bytes where they do not check"});
        }
        if (shard.fault_count > shard.faults.size()) {
            findings.push_back({"header.fault",
                                Severity::error,
                                shard.file,
                                {},
                                {},
                                {},
                                fmt::format("{} more faults", shard.fault_count - shard.faults.size()),
                                "as with those before"});
        }
    }
}

}  // namespace assay::rules

#include <fmt/format.h>

#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_a_log(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.model.linear_heads) return;
    const std::uint64_t heads = *checkpoint.model.linear_heads;
    for (const ScalarFacts::Head& head : input.scalars.a_log) {
        for (std::uint64_t i = heads; i < head.values.size(); ++i) {
            const float value = head.values[i];
            if (value == 0 && !std::signbit(value)) continue;
            const checkpoints::Tensor& tensor = checkpoint.tensors[head.tensor];
            findings.push_back({"a_log.tail",
                                Severity::error,
                                checkpoint.shards[tensor.shard].file,
                                tensor.name,
                                {},
                                {},
                                fmt::format("entry {} is {}; past the {} heads only +0 belongs", i, value, heads),
                                "a server that reads the entries by channel and not by head uses it"});
            break;
        }
    }
}

}  // namespace assay::rules

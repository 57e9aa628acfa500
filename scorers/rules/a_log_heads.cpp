#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_a_log_heads(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.model.linear_heads) return;
    const std::uint64_t heads = *checkpoint.model.linear_heads;
    for (const ScalarFacts::Head& head : input.scalars.a_log) {
        const checkpoints::Tensor& tensor = checkpoint.tensors[head.tensor];
        const auto say = [&](std::string message, std::string consequence) {
            findings.push_back({"a_log.heads",
                                Severity::error,
                                checkpoint.shards[tensor.shard].file,
                                tensor.name,
                                {},
                                {},
                                std::move(message),
                                std::move(consequence)});
        };
        if (head.values.empty()) continue;  // unread, and said so
        if (head.values.size() < heads) {
            say(fmt::format("it has {} entries for {} heads", head.values.size(), heads), "loading fails");
            continue;
        }
        const auto used = head.values.begin() + static_cast<std::ptrdiff_t>(heads);
        const auto bad = std::find_if(head.values.begin(), used,
                                      [](float value) { return !std::isfinite(value) || value == 0; });
        if (bad != used)
            say(fmt::format("entry {} is {}; a finite number other than 0 is expected for each of {} heads",
                            bad - head.values.begin(), *bad, heads),
                "the head decays at another rate than the one it was trained with");
    }
}

}  // namespace assay::rules

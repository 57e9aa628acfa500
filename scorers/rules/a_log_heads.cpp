#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_a_log_heads(const RuleInput& input, std::vector<Finding>& findings) {
    const checkpoints::Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.model.linear_heads) return;
    const std::uint64_t heads = *checkpoint.model.linear_heads;
    std::size_t zeros = 0;
    const checkpoints::Tensor* first_zero = nullptr;
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
        const auto bad = std::find_if(head.values.begin(), used, [](float value) { return !std::isfinite(value); });
        if (bad != used)
            say(fmt::format("entry {} is {}; a finite number is expected for each of {} heads",
                            bad - head.values.begin(), *bad, heads),
                "the head's state becomes NaN, and its output with it");
        if (std::find(head.values.begin(), used, 0.0F) != used && zeros++ == 0) first_zero = &tensor;
    }
    if (zeros == 0) return;
    findings.push_back({"a_log.heads",
                        Severity::warning,
                        checkpoint.shards[first_zero->shard].file,
                        first_zero->name,
                        {},
                        {},
                        fmt::format("{} of {} A_log tensors, this one first, have an entry of exactly 0 among their {} "
                                    "heads",
                                    zeros, input.scalars.a_log.size(), heads),
                        "the server takes it as it is, a decay rate of exactly 1; trained rates are other numbers, and "
                        "zeros are what a file holds that was never written"});
}

}  // namespace assay::rules

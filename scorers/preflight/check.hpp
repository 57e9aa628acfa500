// Check: what an endpoint must do for a run to be scored, and whether it was seen to do so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scorers/preflight/evidence.hpp"

namespace assay::preflight {

enum class Verdict : unsigned char { verified, refuted, could_not_tell };

[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::verified: return "verified";
        case Verdict::refuted: return "refuted";
        case Verdict::could_not_tell: break;
    }
    return "could not tell";
}

struct Check {
    std::string_view name;
    Verdict verdict = Verdict::could_not_tell;
    bool needed = false;  // a run cannot be trusted while it could not be told
    std::string found;    // one line; text from outside in it
    std::string advice;   // what to do, one line; empty where verified
};

// The checks in the order in which they are shown: reachable, model-listed, context, budget-field, stream-end, usage,
// reasoning, effort, seed, sum, server-facts. A pure function.
[[nodiscard]] std::vector<Check> judge(const Evidence& evidence);

// Those that a run makes before it starts: reachable, model-listed, context, budget-field.
[[nodiscard]] std::vector<Check> judge_before_run(const Evidence& evidence);

// Names of all checks, in that order.
[[nodiscard]] const std::vector<std::string_view>& check_names();

// What all of them come to: refuted where one is; else could_not_tell where a needed one is; else verified. Those
// named in `accepted` do not count.
[[nodiscard]] Verdict conclusion(const std::vector<Check>& checks, const std::vector<std::string>& accepted);

}  // namespace assay::preflight

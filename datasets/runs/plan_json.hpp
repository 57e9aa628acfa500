// The plan as canonical JSON, which is what plan_hash digests.
#pragma once

#include <string>

#include "datasets/runs/plan.hpp"

namespace assay::runs {

// One object on one line, keys sorted, no spaces, ASCII only, numbers as Python prints them. What is unset or
// empty is left out, so that a later version with more fields finds the same hash for the same plan. In Python:
//     json.dumps(plan, sort_keys=True, separators=(",", ":"))
[[nodiscard]] std::string plan_json(const Plan& plan);

}  // namespace assay::runs

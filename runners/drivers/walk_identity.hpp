// Private to the walk's state: of which checkpoints and options a state is, as its first line says.
//
// One line of JSON, "format": "assay.audit-state/1": the program's version, the options that shape the result, and files with
// size, time of change and digest of their header.
#pragma once

#include <string>

#include "runners/drivers/walk_input.hpp"
#include "runners/drivers/walk_plan.hpp"

namespace assay::runners {

[[nodiscard]] std::string identity_of(const WalkInput& input, const WalkPlan& plan);
// What differs, in words: "a.safetensors of the target has changed: its bytes was 8 and is 9".
[[nodiscard]] std::string change_between(const std::string& then, const std::string& now);

}  // namespace assay::runners

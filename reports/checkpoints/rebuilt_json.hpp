// Private to this folder: the "rebuilt" part of audit's JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/checkpoints/rebuilt_report.hpp"

namespace assay::reports {

[[nodiscard]] nlohmann::ordered_json rebuilt_json(const RebuiltReport& report);

}  // namespace assay::reports

// The part of the JSON report that says what each session's client did.
#pragma once

#include <vector>

#include "datasets/runs/client_work.hpp"
#include "reports/score/score_json_parts.hpp"

namespace assay::reports {

[[nodiscard]] ReportJson own_work_json(const std::vector<runs::ClientWork>& sessions);

}  // namespace assay::reports

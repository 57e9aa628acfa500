// The report of a run as Markdown: short tables for a model card or a ticket.
#pragma once

#include <string>

#include "reports/score/score_report.hpp"

namespace assay::reports {

// The same content as score_text, with a table where that has columns. Starts with a heading that says SIMULATED where
// the endpoint was simulated. Text from outside is visible() and escaped. Ends with LF.
[[nodiscard]] std::string score_markdown(const RunHeader& header, const statistics::Summary& summary,
                                         const Detail& detail = {});

}  // namespace assay::reports

// The report of a run as one self-contained HTML page: no script, nothing loaded, a content security policy that allows
// neither. Readable in dark and light and on paper.
#pragma once

#include <string>
#include <vector>

#include "reports/score/score_report.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::reports {

// `record_ids`: one a row of the table, or none at all. Question numbers and record ids are all that is shown of a
// question. The charts are SVG: seeds with the intervals, and questions by seeds. Text from outside is visible() and
// escaped. Same inputs, same bytes.
[[nodiscard]] std::string score_html(const RunHeader& header, const statistics::Summary& summary,
                                     const statistics::SeedTable& table, const std::vector<std::string>& record_ids,
                                     const Detail& detail = {true, true, true, true});

}  // namespace assay::reports

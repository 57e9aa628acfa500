// The sections of the text report, in the order in which they stand. Each is lines ended by LF, or nothing.
#pragma once

#include <string>

#include "reports/score/score_report.hpp"

namespace assay::reports::sections {

[[nodiscard]] std::string head(const RunHeader& header, const statistics::Summary& summary, const Look& look);
[[nodiscard]] std::string headline(const RunHeader& header, const statistics::Summary& summary, const Look& look);
[[nodiscard]] std::string questions(const statistics::Summary& summary, const Look& look, bool with_numbers);
[[nodiscard]] std::string losses(const RunHeader& header, const statistics::Summary& summary, const Look& look);
[[nodiscard]] std::string effort(const RunHeader& header, const statistics::Summary& summary, const Look& look);
[[nodiscard]] std::string seeds(const statistics::Summary& summary, const Look& look);
[[nodiscard]] std::string groups(const std::string& title, const std::vector<statistics::GroupRow>& rows,
                                 const Look& look);

}  // namespace assay::reports::sections

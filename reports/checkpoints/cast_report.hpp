// What `assay cast` prints: what was written, what had to change, and whether it was verified.
//
// JSON is one object, "format": "assay.cast/1", with the members of assay-cast.json short of its shards, ended by LF.
#pragma once

#include <string>

#include "datasets/cast/summary.hpp"
#include "reports/terminal/style.hpp"

namespace assay::reports {

// `planned`: nothing was written, and what would be is said.
[[nodiscard]] std::string cast_text(const cast::CastSummary& summary, bool planned, const Look& look);
[[nodiscard]] std::string cast_json(const cast::CastSummary& summary);

// Of --reverse: "format": "assay.cast_reverse/1".
[[nodiscard]] std::string reverse_text(const cast::ReverseSummary& summary, const Look& look);
[[nodiscard]] std::string reverse_json(const cast::ReverseSummary& summary);

}  // namespace assay::reports

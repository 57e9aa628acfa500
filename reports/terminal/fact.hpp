// A line of a report: what it is about, the figure, and what the figure means.
//
//   truncated           18 (0.57 %)  cut at the budget of 65,536 tokens; 12 without a letter
//   |<- label_width ->| |<- value ->|  |<- words, wrapped under themselves
#pragma once

#include <string_view>
#include <string>

#include "reports/terminal/style.hpp"

namespace assay::reports {

inline constexpr int fact_label_width = 21;
inline constexpr int fact_value_width = 14;

// Ended by LF. In a narrow window the words stand on lines of their own below. Label, value and words must be
// visible() already; `tint` is that of label and value.
[[nodiscard]] std::string fact(std::string_view label, std::string_view value, std::string_view words, const Look& look,
                               Tint tint = Tint::plain);

}  // namespace assay::reports

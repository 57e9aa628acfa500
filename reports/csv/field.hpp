// One field of a comma-separated table (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// `text` from outside: control characters are made visible(), what a spreadsheet would take for a formula (it begins with
// "=", "+", "-" or "@") gets an apostrophe before it, and what holds a comma or a quote is quoted.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace assay::reports

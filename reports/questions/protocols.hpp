// The protocols that questions can be asked under.
#pragma once

#include <string>

#include "reports/terminal/style.hpp"

namespace assay::reports {

// A table of the protocols with what each asks for, its choice order and its extractor, a line about each, and the harnesses
// that have none, with the reason. Ends with LF.
[[nodiscard]] std::string protocols_text(const Look& look);

// One object, "format": "assay.protocols/1", ended by LF:
//   protocols  [{name, about, prompt, asks, choice_order, extractor}]
//   left_out   [{name, why}]
[[nodiscard]] std::string protocols_json();

}  // namespace assay::reports

// Text that means itself in HTML.
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// & < > " ' as character references: safe in text and in a quoted attribute. Controls are visible()'s business.
[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace assay::reports

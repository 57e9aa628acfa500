// Text that means itself in Markdown (CommonMark with tables, as GitHub renders it).
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// For text that is visible(): backslash escapes before what Markdown or HTML would read as markup, and before "|" of a
// table; "@" (but for "pass@1"), "#" and "://" are broken by an escape so that nobody is called and nothing becomes a link.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

}  // namespace assay::reports

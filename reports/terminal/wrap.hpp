// Running text broken into lines that fit.
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// `text` broken at spaces into lines of at most `width` columns (0: no limit), each ended by LF. The first line
// starts with `first`, every further one with `indent` spaces. Runs of spaces inside a line are kept; a word that
// is longer than a line is broken behind commas, and left whole where it has none. Where under 16 columns would be
// left beside the indent, the indent shrinks.
[[nodiscard]] std::string wrapped(std::string_view first, std::string_view text, int width, int indent);

}  // namespace assay::reports

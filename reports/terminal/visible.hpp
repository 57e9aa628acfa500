// Text from outside made safe to print: nothing that a terminal would obey is left in it.
//
// Model output, server errors, file names and record ids pass through here on their way to a terminal.
// Shown as escapes: C0 controls and DEL (\x1b, \n, \t, \x7f), C1 controls (\u009b), bidirectional marks,
// embeddings, overrides and isolates, line and paragraph separators, invisible format characters, tag
// characters, and each byte that is not well-formed UTF-8 (\xff). Escape sequences (CSI, OSC 8 links, OSC 52,
// DCS) start with ESC or a C1 control and so come out as plain text. For reading, not reversible: a
// backslash in the text stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// One line: line ends and tabs are escaped too. The result is valid UTF-8 without control characters.
[[nodiscard]] std::string visible(std::string_view text);

// Several lines: LF is kept, CRLF becomes LF, and a tab becomes four spaces.
[[nodiscard]] std::string visible_lines(std::string_view text);

}  // namespace assay::reports

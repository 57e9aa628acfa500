// The built program as it behaves in a terminal.
#pragma once

#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace assay::support {

// Whether this machine gives out terminals; a container may not.
[[nodiscard]] bool terminals_there();

// Runs the program in a terminal of its own, `columns` wide, and waits for its end. `out` is what it showed, both outputs in
// the order written, lines ended by LF alone; `err` stays empty. TERM is xterm, and NO_COLOR is not set.
[[nodiscard]] Run run_in_terminal(int columns, const std::vector<std::string>& args);

}  // namespace assay::support

// What the stream that output goes to can show.
#pragma once

#include <cstdio>
#include <string>

#include "reports/terminal/style.hpp"

namespace assay::runners {

[[nodiscard]] bool is_terminal(std::FILE* stream) noexcept;

// Width and colour of a terminal; no limit and no colour for anything else. NO_COLOR and TERM are honoured.
[[nodiscard]] reports::Look look_of(std::FILE* stream) noexcept;

// Writes all of the text. That standard output took it is checked by finish_output(), where the program ends.
void print(std::FILE* stream, const std::string& text);

// Throws assay::Error where anything that was printed to standard output was lost (a full disk, a closed pipe).
void finish_output();

}  // namespace assay::runners

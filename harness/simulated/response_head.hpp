// The first lines of a response of the simulated server.
#pragma once

#include <string>
#include <string_view>

namespace assay::simulated {

// Appends the status line and the headers that every response has, up to but not including the empty line.
void append_head(std::string& out, int status, std::string_view content_type, bool keep_alive);

}  // namespace assay::simulated

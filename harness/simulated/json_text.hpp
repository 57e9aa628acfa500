// JSON strings written by hand: the server writes tens of thousands of events a second.
#pragma once

#include <string>
#include <string_view>

namespace assay::simulated {

// Appends `text` as a JSON string, quotes included. Bytes from 0x80 on are passed as they are.
void append_json_string(std::string& out, std::string_view text);

[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace assay::simulated

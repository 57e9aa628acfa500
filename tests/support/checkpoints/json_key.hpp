// Where a byte of a JSON text stands: the keys that lead to it, joined by dots; list elements add "[]".
#pragma once

#include <string>
#include <vector>

namespace assay::support {

// One path for each byte of a well-formed text: of a key's own bytes that key's path, of punctuation the enclosing one's.
[[nodiscard]] std::vector<std::string> keys_of_bytes(const std::string& json);

}  // namespace assay::support

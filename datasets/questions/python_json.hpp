// JSON strings as Python's json.dumps writes them with its defaults.
#pragma once

#include <string>
#include <string_view>

namespace assay::questions {

// `text`, valid UTF-8, in quotes and escaped to ASCII: \" \\ \n \r \t \b \f by name, every other code point outside
// U+0020..U+007E as \uXXXX with lower-case digits, in two such escapes (a surrogate pair) above U+FFFF.
[[nodiscard]] std::string python_json_string(std::string_view text);

}  // namespace assay::questions

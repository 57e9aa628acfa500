// What Python's str methods do to text, for the harnesses that use them.
#pragma once

#include <string>

#include "scorers/multichoice/utf8.hpp"

namespace assay::multichoice {

// str.isspace() of one code point: the 29 that \s matches as well (U+200B and U+FEFF are none).
[[nodiscard]] bool is_python_space(char32_t code_point) noexcept;

// str.strip() without arguments.
[[nodiscard]] Utf8View strip(Utf8View text);

// `end` moved to the left over white space; `end` must lie between code points.
[[nodiscard]] std::size_t skip_space_backwards(Utf8View text, std::size_t end);

// str.upper() of what [A-Z] matches when case is ignored: A-Z, a-z, U+0131 (gives I), U+017F (gives S);
// U+0130 and U+212A stay as they are. Other text is returned unchanged.
[[nodiscard]] std::string upper_letter(Utf8View letter);

// str.upper() of one code point and str.lower() of a text, letter by letter as PCRE2's tables pair them. Python
// differs for some dozens of code points: where one letter becomes two (U+0130, ligatures), for letters with more
// than two forms, and for the signs that have case without being letters (Roman numerals, circled letters).
[[nodiscard]] std::string upper_case(Utf8View letter);
[[nodiscard]] std::string lower_case(Utf8View text);

// Without every code point of the categories P*.
[[nodiscard]] std::string without_punctuation(Utf8View text);

}  // namespace assay::multichoice

// The white space of Python, and what is not UTF-8, for texts from question files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::questions {

// Offset of the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7); none where all is.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view text) noexcept;

// The 29 code points that Python's str.strip, str.isspace and re's \s take for white space. The zero-width
// space U+200B and the byte order mark U+FEFF are none of them.
[[nodiscard]] bool is_python_space(std::uint32_t code_point) noexcept;

// Python's str.strip(): `text`, valid UTF-8, without white space at either end.
[[nodiscard]] std::string_view python_strip(std::string_view text) noexcept;

// Python's str.rstrip(): without white space at the end.
[[nodiscard]] std::string_view python_strip_end(std::string_view text) noexcept;

}  // namespace assay::questions

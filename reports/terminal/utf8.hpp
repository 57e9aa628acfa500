// One code point at a time out of bytes that claim to be UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay::reports {

struct CodePoint {
    char32_t value = 0;    // where invalid: the offending byte
    std::size_t bytes = 1;  // how far to go on; 1 where invalid
    bool valid = true;
};

// The code point at `at` (at < text.size()). Overlong forms, surrogates, values above U+10FFFF and cut
// sequences are invalid, byte by byte.
[[nodiscard]] CodePoint code_point_at(std::string_view text, std::size_t at) noexcept;

}  // namespace assay::reports

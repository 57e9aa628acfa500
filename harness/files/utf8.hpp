// UTF-8, read one code point at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::files {

// The code point that begins at text[at] (at < text.size()); moves `at` behind it. An ill-formed sequence is
// U+FFFD, one for each maximal part of a sequence, as Unicode 15 section 3.9 recommends (and CPython decodes).
[[nodiscard]] std::uint32_t next_code_point(std::string_view text, std::size_t& at) noexcept;

}  // namespace assay::files

// Repair of text from outside, so that what is kept is valid UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::chat {

struct Repaired {
    std::string text;
    std::int64_t replaced = 0;
};

// Each maximal ill-formed subsequence becomes one U+FFFD (The Unicode Standard, 3.9, "U+FFFD Substitution of
// Maximal Subparts"); well-formed text is unchanged.
[[nodiscard]] Repaired repair_utf8(std::string_view bytes);

// In JSON text: each \uD800..\uDFFF escape that is no half of a pair becomes \ufffd.
[[nodiscard]] Repaired repair_surrogate_escapes(std::string_view json);

// The longest front of valid UTF-8 `text` that has at most `most` bytes and cuts no character.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t most) noexcept;

}  // namespace assay::chat

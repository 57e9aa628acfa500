// How many columns a text takes on a terminal. Independent of the locale.
//
// Combining marks take none, East Asian wide and fullwidth characters and emoji two, everything else one.
// Text is expected to have passed visible(); a stray control character or invalid byte counts as one column.
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

[[nodiscard]] int display_width(std::string_view text) noexcept;

// At most `width` columns of the text; where something was cut off, the end is "..." (or as many dots as fit).
// A combining mark stays with its letter.
[[nodiscard]] std::string cut_to_width(std::string_view text, int width);

// The text and spaces up to `width` columns; longer text is returned as it is.
[[nodiscard]] std::string padded_right(std::string_view text, int width);
[[nodiscard]] std::string padded_left(std::string_view text, int width);

}  // namespace assay::reports

// How a text may look: the width it has and whether it may have colours.
#pragma once

#include <string>
#include <string_view>

namespace assay::reports {

// width 0: no limit (a file or a pipe). Colours are SGR sequences; no other escape sequence is used.
struct Look {
    int width = 0;
    bool colour = false;
};

// Whether colours are allowed: on a terminal, where NO_COLOR is unset or empty (https://no-color.org) and TERM
// is neither unset nor "dumb". The two are values of the environment, null where unset.
[[nodiscard]] bool colour_allowed(bool is_terminal, const char* no_color, const char* term) noexcept;

enum class Tint { plain, bold, dim, red, green, yellow };

// The text with the tint around it where `look` allows, else the text itself. The text must be visible() already.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint, const Look& look);

}  // namespace assay::reports

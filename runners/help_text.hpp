// The text of --help, fitted to a terminal of `width` columns (0: no limit, nothing is broken).
#pragma once

#include <string>
#include <string_view>

namespace assay::runners {

// The column at which descriptions of flags begin; a flag that reaches it has a line of its own above.
[[nodiscard]] int description_column(int width) noexcept;

// A description that begins at `column`, broken into lines that fit beside it, without the space before them and the LF
// behind the last. Where it has several lines of its own, what goes on from one of them is set in.
[[nodiscard]] std::string fitted_description(std::string_view text, int width, int column);

// What stands below the flags. Commands (two spaces and `assay`, or what follows a backslash) stay as they are, to be
// copied; other lines are broken, under their second column where they have two.
[[nodiscard]] std::string fitted_footer(std::string_view text, int width);

}  // namespace assay::runners

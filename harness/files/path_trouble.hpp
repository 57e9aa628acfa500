// Why a path cannot be reached, in words that say what to do.
#pragma once

#include <string>

namespace assay::files {

// Of an errno of stat, open, opendir or read: "there is no such file; check the path", "permission denied; check ..".
[[nodiscard]] std::string path_trouble(int error);

}  // namespace assay::files

// Private to the files written as a whole: what may be at the path that they replace, and how writing fails.
#pragma once

#include <string>

namespace assay::files {

// Throws assay::Error unless nothing or a regular file is there: a symbolic link is not followed, so that one planted in a
// shared folder leads nowhere.
void require_replaceable(const std::string& path);

// Throws assay::Error with the path and what the error number means.
[[noreturn]] void fail_to_write(const std::string& path, int error);

}  // namespace assay::files

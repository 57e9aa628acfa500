// OpenError: a file was not opened, with the errno that says why.
#pragma once

#include <cerrno>
#include <string>

#include "harness/error.hpp"

namespace assay::files {

class OpenError : public Error {
public:
    OpenError(const std::string& message, int code) : Error(message), code_(code) {}
    [[nodiscard]] int code() const noexcept { return code_; }
    // Whether it says something of the path itself, for whoever looks at it: nothing is there, or what is there is no file.
    // Otherwise it is this process that cannot have it: no right, no descriptor left, a device that fails.
    [[nodiscard]] bool lies_with_path() const noexcept {
        return code_ == ENOENT || code_ == ENOTDIR || code_ == EISDIR || code_ == ENXIO || code_ == ELOOP || code_ == ENAMETOOLONG;
    }

private:
    int code_;
};

}  // namespace assay::files

#include "harness/files/write_target.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "harness/error.hpp"

namespace assay::files {

void require_replaceable(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        if (errno == ENOENT) return;
        fail_to_write(path, errno);
    }
    if (S_ISLNK(status.st_mode))
        throw Error(fmt::format("cannot write '{}': it is a symbolic link; remove it, or name another place", path));
    if (!S_ISREG(status.st_mode)) throw Error(fmt::format("cannot write '{}': it is there and no regular file", path));
}

void fail_to_write(const std::string& path, int error) {
    throw Error(fmt::format("cannot write '{}': {}", path, std::generic_category().message(error)));
}

}  // namespace assay::files

#include "harness/files/path_trouble.hpp"

#include <cerrno>
#include <system_error>

namespace assay::files {

std::string path_trouble(int error) {
    switch (error) {
        case ENOENT: return "there is no such file; check the path";
        case ENOTDIR: return "a part of the path is not a directory; check the path";
        case EISDIR: return "it is a directory; give the path of a file";
        case EACCES: return "permission denied; check the rights of the file and of its directories";
        case ELOOP: return "its symbolic links lead in a circle; check where they point";
        case ENAMETOOLONG: return "the path, or a name in it, is longer than the file system allows; check the path";
        default: return std::generic_category().message(error);
    }
}

}  // namespace assay::files

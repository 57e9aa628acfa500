#include "harness/files/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/error.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {

void create_folder(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) return;
        throw Error(fmt::format("expected a folder, but '{}' is a file: name another one", path));
    }
    std::string without_slash = path;
    while (without_slash.size() > 1 && without_slash.back() == '/') without_slash.pop_back();
    const std::string above = folder_of(without_slash);
    if (errno == ENOENT && !path.empty() && above != without_slash) create_folder(above);
    if (::mkdir(without_slash.c_str(), 0777) == 0) {
        sync_folder(above);
        return;
    }
    if (errno == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
    throw Error(fmt::format("cannot create the folder '{}': {}", path, std::generic_category().message(errno)));
}

void sync_folder(const std::string& path) noexcept {
    const loop::FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.open()) ::fsync(folder.get());
}

std::optional<std::int64_t> free_bytes(const std::string& path) noexcept {
    struct statvfs status {};
    if (::statvfs(path.c_str(), &status) != 0) return std::nullopt;
    return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace assay::files

#include "harness/files/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "harness/error.hpp"
#include "harness/files/open_error.hpp"
#include "harness/files/path_trouble.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {
namespace {

[[noreturn]] void fail(const std::string& path, std::string_view why) {
    throw Error(fmt::format("cannot read '{}': {}", path, why));
}

[[noreturn]] void fail_with_errno(const std::string& path, int error) { fail(path, path_trouble(error)); }

}  // namespace

std::string read_file(const std::string& path, std::uint64_t limit) {
    const loop::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) {
        const int error = errno;
        throw OpenError(fmt::format("cannot read '{}': {}", path, path_trouble(error)), error);
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) fail_with_errno(path, errno);
    if (S_ISDIR(status.st_mode)) fail_with_errno(path, EISDIR);

    std::string bytes;
    if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) <= limit) {
        bytes.reserve(static_cast<std::size_t>(status.st_size));
    }
    std::array<char, 65536> block;
    for (;;) {
        const ssize_t got = ::read(file.get(), block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail_with_errno(path, errno);
        if (got == 0) return bytes;
        bytes.append(block.data(), static_cast<std::size_t>(got));
        if (bytes.size() > limit) {
            fail(path, fmt::format("it holds more than {} bytes, the most that is expected of such a file; check the path", limit));
        }
    }
}

}  // namespace assay::files

#include "harness/files/pread_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/error.hpp"
#include "harness/files/open_error.hpp"

namespace assay::files {
namespace {

[[noreturn]] void fail_to(const char* what, const std::string& path, int error) {
    throw OpenError(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)), error);
}

}  // namespace

std::string PreadReader::beyond(std::uint64_t offset, std::size_t length) const {
    return offset > size_ || length > size_ - offset ? fmt::format("the file ends at byte {}", size_) : std::string();
}

View PreadReader::view(std::uint64_t offset, std::size_t length, Buffer& buffer) const {
    if (std::string fault = beyond(offset, length); !fault.empty()) return {{}, std::move(fault)};
    const std::span<std::byte> into = buffer.of_size(length);
    std::size_t done = 0;
    while (done < length) {
        const ssize_t got = ::pread(fd_.get(), into.data() + done, std::min<std::size_t>(length - done, 1U << 30),
                                    static_cast<off_t>(offset + done));
        if (got > 0) {
            done += static_cast<std::size_t>(got);
        } else if (got == 0) {
            struct stat status{};  // its end may lie before what was asked for
            const bool known = ::fstat(fd_.get(), &status) == 0;
            return {{}, fmt::format("the file was cut to {} bytes while it was read",
                                    known ? static_cast<std::uint64_t>(status.st_size) : offset + done)};
        } else if (errno != EINTR) {
            return {{}, fmt::format("{} at byte {}", std::strerror(errno), offset + done)};
        }
    }
    return {into, {}};
}

std::unique_ptr<ByteReader> open_for_reading(const std::string& path) {
    // Without O_NONBLOCK a pipe with no writer would hold the program here for ever; regular files do not heed it.
    loop::FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.open()) fail_to("open", path, errno);
    struct stat status{};
    if (::fstat(fd.get(), &status) != 0) fail_to("stat", path, errno);
    if (!S_ISREG(status.st_mode)) throw Error(fmt::format("{} is not a regular file", path));
    return std::make_unique<PreadReader>(path, std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

}  // namespace assay::files

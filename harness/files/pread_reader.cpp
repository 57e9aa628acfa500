#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/error.hpp"
#include "harness/files/byte_reader.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {
namespace {

class PreadReader final : public ByteReader {
public:
    PreadReader(std::string path, loop::FileDescriptor fd, std::uint64_t size)
        : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

    [[nodiscard]] const std::string& path() const noexcept override { return path_; }
    [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }

    [[nodiscard]] View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const override {
        if (offset > size_ || length > size_ - offset) return {{}, fmt::format("the file ends at byte {}", size_)};
        const std::span<std::byte> into = buffer.of_size(length);
        std::size_t done = 0;
        while (done < length) {
            const ssize_t got = ::pread(fd_.get(), into.data() + done, std::min<std::size_t>(length - done, 1U << 30),
                                        static_cast<off_t>(offset + done));
            if (got > 0) {
                done += static_cast<std::size_t>(got);
            } else if (got == 0) {
                return {{}, fmt::format("the file was cut to {} bytes while it was read", offset + done)};
            } else if (errno != EINTR) {
                return {{}, fmt::format("{} at byte {}", std::strerror(errno), offset + done)};
            }
        }
        return {into, {}};
    }

private:
    std::string path_;
    loop::FileDescriptor fd_;
    std::uint64_t size_;
};

}  // namespace

std::span<std::byte> Buffer::of_size(std::size_t bytes) {
    if (memory_.size() < bytes) memory_.resize(bytes);
    return {memory_.data(), bytes};
}

std::unique_ptr<ByteReader> open_for_reading(const std::string& path) {
    loop::FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.open()) throw Error(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
    struct stat status{};
    if (::fstat(fd.get(), &status) != 0) throw Error(fmt::format("cannot stat {}: {}", path, std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) throw Error(fmt::format("{} is not a regular file", path));
    return std::make_unique<PreadReader>(path, std::move(fd), static_cast<std::uint64_t>(status.st_size));
}

}  // namespace assay::files

// Readers that go other ways than pread, and fall back to it where a way is closed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "harness/error.hpp"
#include "harness/files/pread_reader.hpp"

namespace assay::files {
namespace {

constexpr std::uint64_t alignment = 4096;
// Below it pread and the kernel's readahead are the better way.
constexpr std::size_t smallest = std::size_t{64} << 10;

// Of other users' files mincore(2) says that all pages are in memory.
bool tells_residency(int fd) {
    struct stat status{};
    return ::geteuid() == 0 || (::fstat(fd, &status) == 0 && status.st_uid == ::geteuid());
}

// Brings a mapping's pages in. Those that are in memory are cheaper to fault in when they are touched, sixteen at a
// time; false as of populate().
bool bring_in(const GuardedMapping& mapping, int fd) {
    return (tells_residency(fd) && mapping.resident() == 1) || mapping.populate();
}

// Those bytes in the buffer's mapping, or in a new one that it holds from now on; null where they cannot be mapped.
GuardedMapping* mapped(int fd, std::uint64_t offset, std::size_t length, std::size_t at_once, Buffer& buffer) {
    if (GuardedMapping* const there = buffer.shown(fd, offset, length); there != nullptr) return there;
    auto made = GuardedMapping::of(fd, offset, length, at_once);
    return made ? &buffer.hold(std::move(*made)) : nullptr;
}

class MappedReader : public PreadReader {
public:
    MappedReader(std::string path, loop::FileDescriptor fd, std::uint64_t size, std::size_t at_once)
        : PreadReader(std::move(path), std::move(fd), size), at_once_(at_once) {}

    [[nodiscard]] View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const override {
        if (length < smallest || !beyond(offset, length).empty()) return PreadReader::view(offset, length, buffer);
        const GuardedMapping* const mapping = mapped(descriptor(), offset, length, at_once_, buffer);
        // Where touching a page would fail, pread says why.
        if (mapping == nullptr || !bring_in(*mapping, descriptor())) return PreadReader::view(offset, length, buffer);
        return {mapping->bytes(), {}};
    }

private:
    std::size_t at_once_;
};

class DirectReader : public PreadReader {
public:
    DirectReader(std::string path, loop::FileDescriptor fd, std::uint64_t size, loop::FileDescriptor direct)
        : PreadReader(std::move(path), std::move(fd), size), direct_(std::move(direct)) {}

    [[nodiscard]] View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const override {
        if (length < smallest || !direct_.open() || !beyond(offset, length).empty())
            return PreadReader::view(offset, length, buffer);
        // Whole pages around what is wanted; the last may lie across the file's end.
        const std::uint64_t begin = offset / alignment * alignment;
        const std::size_t skip = static_cast<std::size_t>(offset - begin);
        const std::span<std::byte> into = buffer.of_size((skip + length + alignment - 1) / alignment * alignment);
        std::size_t done = 0;
        while (done < skip + length) {
            const ssize_t got = ::pread(direct_.get(), into.data() + done,
                                        std::min<std::size_t>(into.size() - done, 1U << 30),
                                        static_cast<off_t>(begin + done));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            done += static_cast<std::size_t>(got);
            if (done % alignment != 0) break;
        }
        if (done < skip + length) return PreadReader::view(offset, length, buffer);
        return {into.subspan(skip, length), {}};
    }

private:
    loop::FileDescriptor direct_;
};

class AutomaticReader : public DirectReader {
public:
    AutomaticReader(std::string path, loop::FileDescriptor fd, std::uint64_t size, loop::FileDescriptor direct,
                    std::size_t at_once)
        : DirectReader(std::move(path), std::move(fd), size, std::move(direct)), at_once_(at_once) {}

    [[nodiscard]] View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const override {
        constexpr double most = 0.9;
        if (length < smallest || !beyond(offset, length).empty()) return PreadReader::view(offset, length, buffer);
        const GuardedMapping* const mapping = mapped(descriptor(), offset, length, at_once_, buffer);
        const double resident = mapping != nullptr ? mapping->resident() : 0;
        const bool touchable = resident == 1 && tells_residency(descriptor());
        if (resident >= most && (touchable || mapping->populate())) return {mapping->bytes(), {}};
        return DirectReader::view(offset, length, buffer);
    }

private:
    std::size_t at_once_;
};

// The file that `file` has open, opened once more.
loop::FileDescriptor open_again(const ByteReader& file, int flags) {
    const std::string link = fmt::format("/proc/self/fd/{}", file.descriptor());
    loop::FileDescriptor fd(::open(link.c_str(), O_RDONLY | O_CLOEXEC | flags));
    if (!fd.open()) fd = loop::FileDescriptor(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC | flags));
    if (!fd.open()) return fd;
    struct stat first{};
    struct stat second{};
    if (::fstat(file.descriptor(), &first) != 0 || ::fstat(fd.get(), &second) != 0 || first.st_dev != second.st_dev ||
        first.st_ino != second.st_ino)
        throw Error(fmt::format("{} was replaced while it was read", file.path()));
    return fd;
}

// By the numbers of statfs(2) and linux/magic.h: mappings there cost a round trip a page, or are not coherent.
bool is_remote(int fd) {
    struct statfs status{};
    if (::fstatfs(fd, &status) != 0) return false;
    constexpr std::array<std::uint32_t, 12> remote{
        0x6969,      // NFS
        0xff534d42,  // CIFS
        0xfe534d42,  // SMB2
        0x517b,      // SMB
        0x01021997,  // 9p
        0x65735546,  // FUSE
        0x0bd00bd0,  // Lustre
        0x47504653,  // GPFS
        0x00c36400,  // Ceph
        0x19830326,  // BeeGFS
        0xaad7aaea,  // PanFS
        0x5346414f,  // AFS
    };
    return std::find(remote.begin(), remote.end(), static_cast<std::uint32_t>(status.f_type)) != remote.end();
}

}  // namespace

std::unique_ptr<ByteReader> reopen(const ByteReader& file, Io io, std::size_t at_once) {
    loop::FileDescriptor fd = open_again(file, 0);
    if (!fd.open()) throw Error(fmt::format("cannot open {} again: {}", file.path(), std::strerror(errno)));
    if (io == Io::automatic && is_remote(fd.get())) io = Io::read;
    switch (io) {
        case Io::map: return std::make_unique<MappedReader>(file.path(), std::move(fd), file.size(), at_once);
        case Io::read: break;
        case Io::direct:
            return std::make_unique<DirectReader>(file.path(), std::move(fd), file.size(), open_again(file, O_DIRECT));
        case Io::automatic:
            return std::make_unique<AutomaticReader>(file.path(), std::move(fd), file.size(),
                                                     open_again(file, O_DIRECT), at_once);
    }
    ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    return std::make_unique<PreadReader>(file.path(), std::move(fd), file.size());
}

double resident_share(const ByteReader& file) {
    constexpr std::uint64_t places = 64;
    constexpr std::size_t length = 16 * alignment;
    double sum = 0;
    std::uint64_t seen = 0;
    for (std::uint64_t i = 0; i < places; ++i) {
        const std::uint64_t offset = file.size() / places * i / alignment * alignment;
        const std::size_t here = static_cast<std::size_t>(std::min<std::uint64_t>(length, file.size() - offset));
        if (here == 0) break;
        const auto mapping = GuardedMapping::of(file.descriptor(), offset, here);
        if (!mapping) return 1;
        sum += mapping->resident();
        ++seen;
    }
    return seen == 0 ? 1 : sum / static_cast<double>(seen);
}

}  // namespace assay::files

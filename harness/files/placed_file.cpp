#include "harness/files/placed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "harness/files/folder.hpp"
#include "harness/files/write_target.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {
namespace {

// Smaller pieces share their pages with what is written next to them: those would go to the disk twice.
constexpr std::size_t sent_at_once = std::size_t{256} << 10;

bool all_zero(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

std::string partial_sibling(const std::string& path) {
    return fmt::format("{}/.{}.partial", folder_of(path), path.substr(path.rfind('/') + 1));
}

struct PlacedFile::Parts {
    std::string path;
    std::string sibling;  // empty once it is renamed
    loop::FileDescriptor file;
    Space space{};

    ~Parts() {
        if (!sibling.empty()) ::unlink(sibling.c_str());
    }
};

PlacedFile::PlacedFile(std::string path, std::uint64_t bytes, Space space) : parts_(std::make_unique<Parts>()) {
    parts_->path = std::move(path);
    parts_->space = space;
    require_replaceable(parts_->path);
    const std::string sibling = partial_sibling(parts_->path);
    ::unlink(sibling.c_str());
    parts_->file = loop::FileDescriptor(
        ::open(sibling.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!parts_->file.open()) fail_to_write(sibling, errno);
    parts_->sibling = sibling;
    const int fd = parts_->file.get();
    if (space == Space::reserve && bytes != 0) {
        // File systems without it write all the same; only the early word about a full disk is lost.
        const int error = ::fallocate(fd, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
        if (error != 0 && error != EOPNOTSUPP && error != ENOSYS) fail_to_write(parts_->path, error);
        if (error == 0) return;
    }
    if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) fail_to_write(parts_->path, errno);
}

PlacedFile::~PlacedFile() = default;

void PlacedFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (parts_->space == Space::holes && all_zero(bytes)) return;
    std::span<const std::byte> rest = bytes;
    auto at = static_cast<off_t>(offset);
    while (!rest.empty()) {
        const ssize_t put = ::pwrite(parts_->file.get(), rest.data(), rest.size(), at);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail_to_write(parts_->path, errno);
        rest = rest.subspan(static_cast<std::size_t>(put));
        at += put;
    }
    // Advice: what goes wrong with it, fsync says.
    if (bytes.size() >= sent_at_once)
        (void)::sync_file_range(parts_->file.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes.size()), SYNC_FILE_RANGE_WRITE);
}

void PlacedFile::commit() {
    if (::fsync(parts_->file.get()) != 0) fail_to_write(parts_->path, errno);
    parts_->file.reset();
    require_replaceable(parts_->path);
    if (::rename(parts_->sibling.c_str(), parts_->path.c_str()) != 0) fail_to_write(parts_->path, errno);
    parts_->sibling.clear();
    sync_folder(folder_of(parts_->path));
}

}  // namespace assay::files

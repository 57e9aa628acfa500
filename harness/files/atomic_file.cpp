#include "harness/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "harness/files/folder.hpp"
#include "harness/files/write_target.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {
namespace {

constexpr std::size_t buffer_bytes = 256U << 10;

}  // namespace

struct AtomicFile::Parts {
    std::string path;
    std::string sibling;  // empty once it is renamed or gone
    loop::FileDescriptor file;
    std::string buffer;

    ~Parts() {
        if (!sibling.empty()) ::unlink(sibling.c_str());
    }

    void create_sibling() {
        const std::string folder = folder_of(path);
        const std::string name = path.substr(path.rfind('/') + 1);
        for (int number = 0; number < 1000; ++number) {
            const std::string candidate = fmt::format("{}/.{}.{}.{}.tmp", folder, name, ::getpid(), number);
            file = loop::FileDescriptor(
                ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
            if (file.open()) {
                sibling = candidate;
                return;
            }
            if (errno != EEXIST) fail_to_write(path, errno);
        }
        fail_to_write(path, EEXIST);
    }

    void flush() {
        std::string_view rest = buffer;
        while (!rest.empty()) {
            const ssize_t put = ::write(file.get(), rest.data(), rest.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) fail_to_write(path, errno);
            rest.remove_prefix(static_cast<std::size_t>(put));
        }
        buffer.clear();
    }
};

AtomicFile::AtomicFile(std::string path) : parts_(std::make_unique<Parts>()) {
    parts_->path = std::move(path);
    require_replaceable(parts_->path);
    parts_->create_sibling();
}
AtomicFile::~AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;

void AtomicFile::write(std::string_view bytes) {
    parts_->buffer += bytes;
    if (parts_->buffer.size() >= buffer_bytes) parts_->flush();
}

void AtomicFile::commit() {
    parts_->flush();
    if (::fsync(parts_->file.get()) != 0) fail_to_write(parts_->path, errno);
    parts_->file.reset();
    require_replaceable(parts_->path);
    if (::rename(parts_->sibling.c_str(), parts_->path.c_str()) != 0) fail_to_write(parts_->path, errno);
    parts_->sibling.clear();
    sync_folder(folder_of(parts_->path));
}

void replace_file(const std::string& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

}  // namespace assay::files

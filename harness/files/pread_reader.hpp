// Private to the readers: a file and its reading by pread.
#pragma once

#include <string>

#include "harness/files/byte_reader.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::files {

class PreadReader : public ByteReader {
public:
    PreadReader(std::string path, loop::FileDescriptor fd, std::uint64_t size)
        : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

    [[nodiscard]] int descriptor() const noexcept override { return fd_.get(); }
    [[nodiscard]] const std::string& path() const noexcept override { return path_; }
    [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
    [[nodiscard]] View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const override;

protected:
    // Why that part cannot be asked for, or "".
    [[nodiscard]] std::string beyond(std::uint64_t offset, std::size_t length) const;

private:
    std::string path_;
    loop::FileDescriptor fd_;
    std::uint64_t size_;
};

}  // namespace assay::files

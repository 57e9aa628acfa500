// ByteReader: the seam through which checkpoint bytes are read, whatever the way (pread, mapping, direct).
//
// Offsets and lengths are in bytes from the start of the file. A read error is data, not an exception: one bad
// sector must not hide what the other terabyte says.
// Threads: `view` may be called from any number of threads at once, each with a Buffer of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay::files {

// Where bytes land that have to be copied; grows to the largest view asked for and is reused. One thread at a time.
class Buffer {
public:
    [[nodiscard]] std::span<std::byte> of_size(std::size_t bytes);

private:
    std::vector<std::byte> memory_;
};

struct View {
    std::span<const std::byte> bytes;  // exactly what was asked for, or empty where `fault` says why not
    std::string fault;                 // "", "input/output error", "the file ends at byte 4096"
    [[nodiscard]] bool whole() const noexcept { return fault.empty(); }
};

class ByteReader {
public:
    virtual ~ByteReader() = default;
    [[nodiscard]] virtual const std::string& path() const noexcept = 0;
    // The size when the file was opened; a file cut short later shows as a fault of a view.
    [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
    // Bytes [offset, offset + length). Valid until the next call with the same buffer, or until the reader dies.
    [[nodiscard]] virtual View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const = 0;
};

// Opens a file for pread, which turns every error into a fault of its view.
// Throws assay::Error where the path is no regular file or cannot be opened.
[[nodiscard]] std::unique_ptr<ByteReader> open_for_reading(const std::string& path);

}  // namespace assay::files

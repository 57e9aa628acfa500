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

#include "harness/files/buffer.hpp"

namespace assay::files {

struct View {
    std::span<const std::byte> bytes;  // exactly what was asked for, or empty where `fault` says why not
    std::string fault;                 // "", "input/output error", "the file ends at byte 4096"
    [[nodiscard]] bool whole() const noexcept { return fault.empty(); }
};

class ByteReader {
public:
    virtual ~ByteReader() = default;
    [[nodiscard]] virtual int descriptor() const noexcept = 0;
    [[nodiscard]] virtual const std::string& path() const noexcept = 0;
    // The size when the file was opened; a file cut short later shows as a fault of a view.
    [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
    // Bytes [offset, offset + length). Valid until the next call with the same buffer, or until the reader dies. Where
    // they may be mapped (reopened with automatic or map), ask the buffer's fault() after they were looked at.
    [[nodiscard]] virtual View view(std::uint64_t offset, std::size_t length, Buffer& buffer) const = 0;
};

// Opens a file for pread, which turns every error into a fault of its view.
// Throws OpenError (open_error.hpp) where it cannot be opened, and assay::Error where it is no regular file.
[[nodiscard]] std::unique_ptr<ByteReader> open_for_reading(const std::string& path);

// How bytes are brought in.
enum class Io : std::uint8_t {
    automatic,  // view by view: mapped where nine tenths of its pages are in memory (mincore), read directly where they
                //   are not, so that what others have in the page cache stays there; through the page cache for all
                //   of a file on a network or FUSE file system
    map,        // mapped and populated; the pages are given back with the buffer, or when it maps others
    direct,     // O_DIRECT, past the page cache; what cannot be read so is read through it
    read,       // pread, through the page cache
};

// The same open file, read in another way; views below 64 KiB are read by pread in all of them. `at_once`: how much a
// mapping may take in, so that views that follow lie in it; at least the view.
// Throws assay::Error where its path leads to another file by now.
[[nodiscard]] std::unique_ptr<ByteReader> reopen(const ByteReader& file, Io io, std::size_t at_once = 0);

// Share of the file's pages in memory, 0 to 1, from some 64 places.
[[nodiscard]] double resident_share(const ByteReader& file);

}  // namespace assay::files

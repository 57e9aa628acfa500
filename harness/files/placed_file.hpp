// PlacedFile: a large file of known size, written at offsets by several threads, that appears at its path as a whole.
//
// It is written as a hidden sibling, ".NAME.partial", so that what a killed process left behind is known by its name and is
// overwritten by the next attempt. commit() makes it durable (fsync), renames it, and makes the new name durable too.
// Large pieces are sent to the disk as they are written, so that commit() waits for the last of them only.
// What is at the path stays until then; a symbolic link, folder or device there is refused.
// Threads: write() may be called by several at once, for ranges that do not overlap. Errors: assay::Error with the path and
// the cause; a full disk says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace assay::files {

class PlacedFile {
public:
    enum class Space : unsigned char {
        reserve,  // all of it is reserved at once, so that a full disk shows at the start
        holes,    // windows of zeros are left out, as holes
    };

    PlacedFile(std::string path, std::uint64_t bytes, Space space);
    ~PlacedFile();  // without commit(): the sibling is removed
    PlacedFile(const PlacedFile&) = delete;
    PlacedFile& operator=(const PlacedFile&) = delete;

    void write(std::uint64_t offset, std::span<const std::byte> bytes);
    void commit();  // once, after the last write()

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The sibling's name for a path: what a killed process may have left.
[[nodiscard]] std::string partial_sibling(const std::string& path);

}  // namespace assay::files

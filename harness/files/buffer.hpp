// Buffer: where the bytes of a view are, copied or mapped, until the next view takes its place.
//
// Memory is page-aligned, as direct reads need it, and grows to the largest view asked for. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "harness/files/guarded_mapping.hpp"

namespace assay::files {

class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    // Room for that many bytes, of no particular value; what was mapped before is no longer shown.
    [[nodiscard]] std::span<std::byte> of_size(std::size_t bytes);
    // Takes a mapping over; its bytes are the buffer's from now on.
    GuardedMapping& hold(GuardedMapping mapping);
    // What it has mapped, showing those bytes of the file; null where they are not in it.
    [[nodiscard]] GuardedMapping* shown(int fd, std::uint64_t offset, std::size_t length) noexcept {
        return mapping_.show(fd, offset, length) ? &mapping_ : nullptr;
    }

    // What befell mapped bytes since they were handed out: "" or one line. Bytes that were looked at before it is said
    // may have been zeros in place of the file's. Copied bytes never have a fault.
    [[nodiscard]] std::string fault() const { return mapping_.fault(); }

private:
    void free_memory() noexcept;

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
    GuardedMapping mapping_;
};

}  // namespace assay::files

// GuardedMapping: a part of a file, mapped, in which a read error or a cut file is a fault and not the process's death.
//
// More may be mapped than is asked for, of which another part can be shown without a call that takes pages away: giving
// a mapping back interrupts every processor that the process runs on.
//
// Where a page cannot be had, the kernel sends SIGBUS to the thread that touched it. A handler, installed with the
// first mapping, looks the address up among the live mappings; it puts zero pages from there to the mapping's end,
// notes the place, and the thread goes on. Whoever looked at the bytes asks fault() afterwards and throws away what it
// made of them. An address outside every mapping goes to whatever handler there was before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace assay::files {

class GuardedMapping {
public:
    GuardedMapping() = default;
    GuardedMapping(GuardedMapping&& other) noexcept;
    GuardedMapping& operator=(GuardedMapping&& other) noexcept;
    ~GuardedMapping();

    // Bytes [offset, offset + length) of an open file, for reading; length above 0. `at_once`: how many may be mapped from
    // there on, for show(). Nothing where the kernel refuses, or where too many mappings are live. The descriptor must
    // stay open while bytes of it are shown.
    [[nodiscard]] static std::optional<GuardedMapping> of(int fd, std::uint64_t offset, std::size_t length,
                                                          std::size_t at_once = 0);
    // Has it stand for other bytes of the same file. False, and it is as it was, where they are not all mapped, where
    // `fd` is of another file, and after a fault.
    [[nodiscard]] bool show(int fd, std::uint64_t offset, std::size_t length) noexcept;
    // Has it stand for no bytes, until it shows some.
    void hide() noexcept { length_ = 0; }

    // The following speak of what is shown.

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory_ + skip_, length_}; }
    // Brings all pages in, at once and in order. False where the kernel says that touching them would fail; on kernels
    // before 5.14, which cannot be asked, true.
    [[nodiscard]] bool populate() const noexcept;
    // Share of the pages that are in memory, 0 to 1, from one place in eight of all but short parts; 1 where the
    // kernel does not tell, as of files of other users.
    [[nodiscard]] double resident() const;
    // "", "the file was cut to 4096 bytes while it was read", "input/output error at byte 4096".
    [[nodiscard]] std::string fault() const;

private:
    struct Pages {
        std::byte* begin;
        std::size_t bytes;
    };
    [[nodiscard]] Pages pages() const noexcept;  // that hold what is shown
    void release() noexcept;

    int fd_ = -1;
    std::uint64_t device_ = 0;  // of the file, with its inode
    std::uint64_t inode_ = 0;
    std::uint64_t offset_ = 0;  // of memory_ in the file
    std::byte* memory_ = nullptr;
    std::size_t mapped_ = 0;
    std::size_t skip_ = 0;  // from memory_ to the bytes shown
    std::size_t length_ = 0;
    std::size_t slot_ = 0;
};

}  // namespace assay::files

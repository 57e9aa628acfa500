#include "harness/files/guarded_mapping.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "harness/files/bus_guard.hpp"

namespace assay::files {
namespace {

#ifdef MADV_POPULATE_READ
constexpr int populate_read = MADV_POPULATE_READ;
#else
constexpr int populate_read = 22;  // Linux 5.14
#endif

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

}  // namespace

std::optional<GuardedMapping> GuardedMapping::of(int fd, std::uint64_t offset, std::size_t length,
                                                 std::size_t at_once) {
    // Where a page table's whole reach lies inside, the kernel may map it with one entry.
    constexpr std::uint64_t reach = std::uint64_t{2} << 20;
    struct stat status{};
    if (::fstat(fd, &status) != 0) return std::nullopt;
    GuardedMapping made;
    made.fd_ = fd;
    made.device_ = status.st_dev;
    made.inode_ = status.st_ino;
    made.skip_ = static_cast<std::size_t>(offset % (at_once > length ? reach : page_size()));
    made.offset_ = offset - made.skip_;
    made.length_ = length;
    made.mapped_ = (std::max(made.skip_ + length, at_once) + page_size() - 1) / page_size() * page_size();
    void* const memory =
        ::mmap(nullptr, made.mapped_, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(made.offset_));
    if (memory == MAP_FAILED) return std::nullopt;
    made.memory_ = static_cast<std::byte*>(memory);
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const auto slot = watch_for_bus_errors(begin, begin + made.mapped_);
    if (!slot) {
        ::munmap(memory, made.mapped_);
        made.memory_ = nullptr;
        return std::nullopt;
    }
    made.slot_ = *slot;
    return made;
}

bool GuardedMapping::show(int fd, std::uint64_t offset, std::size_t length) noexcept {
    if (memory_ == nullptr || offset < offset_ || length > mapped_ || offset - offset_ > mapped_ - length) return false;
    // The number of a descriptor that was closed may be another file's by now; a mapped file keeps its inode.
    struct stat status{};
    if (::fstat(fd, &status) != 0 || status.st_dev != device_ || status.st_ino != inode_ || bus_fault(slot_) != 0)
        return false;
    fd_ = fd;
    skip_ = static_cast<std::size_t>(offset - offset_);
    length_ = length;
    return true;
}

GuardedMapping::GuardedMapping(GuardedMapping&& other) noexcept { *this = std::move(other); }

GuardedMapping& GuardedMapping::operator=(GuardedMapping&& other) noexcept {
    if (this == &other) return *this;
    release();
    fd_ = other.fd_;
    device_ = other.device_;
    inode_ = other.inode_;
    offset_ = other.offset_;
    memory_ = std::exchange(other.memory_, nullptr);
    mapped_ = other.mapped_;
    skip_ = other.skip_;
    length_ = other.length_;
    slot_ = other.slot_;
    return *this;
}

GuardedMapping::~GuardedMapping() { release(); }

void GuardedMapping::release() noexcept {
    if (memory_ == nullptr) return;
    unwatch(slot_);
    ::munmap(memory_, mapped_);
    memory_ = nullptr;
}

GuardedMapping::Pages GuardedMapping::pages() const noexcept {
    const std::size_t begin = skip_ / page_size() * page_size();
    const std::size_t end = (skip_ + length_ + page_size() - 1) / page_size() * page_size();
    return {memory_ + begin, end - begin};
}

bool GuardedMapping::populate() const noexcept {
    const auto [begin, bytes] = pages();
    while (::madvise(begin, bytes, populate_read) != 0) {
        if (errno == EFAULT || errno == EHWPOISON) return false;
        if (errno != EINTR) return true;
    }
    return true;
}

double GuardedMapping::resident() const {
    // A place in eight: asking about every page costs a third of mapping it.
    constexpr std::size_t place = 16;
    const auto [begin, bytes] = pages();
    const std::size_t pages = bytes / page_size();
    const std::size_t step = pages <= 8 * place ? place : 8 * place;
    std::array<unsigned char, place> in{};
    std::size_t seen = 0;
    std::size_t resident = 0;
    for (std::size_t first = 0; first < pages; first += step) {
        const std::size_t count = std::min(place, pages - first);
        if (::mincore(begin + first * page_size(), count * page_size(), in.data()) != 0) return 1;
        for (std::size_t i = 0; i < count; ++i) resident += in[i] & 1U;
        seen += count;
    }
    return static_cast<double>(resident) / static_cast<double>(seen);
}

std::string GuardedMapping::fault() const {
    if (memory_ == nullptr || length_ == 0) return {};
    // The last page of a file reads as zeros past the file's end, and no signal tells.
    struct stat status{};
    if (::fstat(fd_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) < offset_ + skip_ + length_)
        return fmt::format("the file was cut to {} bytes while it was read", status.st_size);
    const std::uintptr_t at = bus_fault(slot_);
    if (at == 0) return {};
    return fmt::format("input/output error at byte {}", offset_ + (at - reinterpret_cast<std::uintptr_t>(memory_)));
}

}  // namespace assay::files

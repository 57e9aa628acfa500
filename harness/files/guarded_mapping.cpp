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

std::optional<GuardedMapping> GuardedMapping::of(int fd, std::uint64_t offset, std::size_t length) {
    GuardedMapping made;
    made.fd_ = fd;
    made.skip_ = static_cast<std::size_t>(offset % page_size());
    made.offset_ = offset - made.skip_;
    made.length_ = length;
    made.mapped_ = (made.skip_ + length + page_size() - 1) / page_size() * page_size();
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

GuardedMapping::GuardedMapping(GuardedMapping&& other) noexcept { *this = std::move(other); }

GuardedMapping& GuardedMapping::operator=(GuardedMapping&& other) noexcept {
    if (this == &other) return *this;
    release();
    fd_ = other.fd_;
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

bool GuardedMapping::populate() const noexcept {
    while (::madvise(memory_, mapped_, populate_read) != 0) {
        if (errno == EFAULT || errno == EHWPOISON) return false;
        if (errno != EINTR) return true;
    }
    return true;
}

double GuardedMapping::resident() const {
    // A place in eight: asking about every page costs a third of mapping it.
    constexpr std::size_t place = 16;
    const std::size_t pages = mapped_ / page_size();
    const std::size_t step = pages <= 8 * place ? place : 8 * place;
    std::array<unsigned char, place> in{};
    std::size_t seen = 0;
    std::size_t resident = 0;
    for (std::size_t first = 0; first < pages; first += step) {
        const std::size_t count = std::min(place, pages - first);
        if (::mincore(memory_ + first * page_size(), count * page_size(), in.data()) != 0) return 1;
        for (std::size_t i = 0; i < count; ++i) resident += in[i] & 1U;
        seen += count;
    }
    return static_cast<double>(resident) / static_cast<double>(seen);
}

std::string GuardedMapping::fault() const {
    if (memory_ == nullptr) return {};
    // The last page of a file reads as zeros past the file's end, and no signal tells.
    struct stat status{};
    if (::fstat(fd_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) < offset_ + skip_ + length_)
        return fmt::format("the file was cut to {} bytes while it was read", status.st_size);
    const std::uintptr_t at = bus_fault(slot_);
    if (at == 0) return {};
    return fmt::format("input/output error at byte {}", offset_ + (at - reinterpret_cast<std::uintptr_t>(memory_)));
}

}  // namespace assay::files

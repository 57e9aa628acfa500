#include "harness/files/buffer.hpp"

#include <cstdlib>
#include <new>
#include <utility>

namespace assay::files {
namespace {

constexpr std::size_t page = 4096;

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapping_(std::move(other.mapping_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    free_memory();
    memory_ = std::exchange(other.memory_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapping_ = std::move(other.mapping_);
    return *this;
}

Buffer::~Buffer() { free_memory(); }

void Buffer::free_memory() noexcept {
    std::free(memory_);
    memory_ = nullptr;
    size_ = 0;
}

std::span<std::byte> Buffer::of_size(std::size_t bytes) {
    mapping_.hide();
    if (bytes > size_) {
        if (bytes > SIZE_MAX - page) throw std::bad_alloc();
        const std::size_t rounded = (bytes + page - 1) / page * page;
        free_memory();
        memory_ = static_cast<std::byte*>(std::aligned_alloc(page, rounded));
        if (memory_ == nullptr) throw std::bad_alloc();
        size_ = rounded;
    }
    return {memory_, bytes};
}

GuardedMapping& Buffer::hold(GuardedMapping mapping) {
    mapping_ = std::move(mapping);
    return mapping_;
}

}  // namespace assay::files

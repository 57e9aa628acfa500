// MemoryFile: a ByteReader over bytes in memory, for checkpoints that no test writes to disk.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/files/byte_reader.hpp"

namespace assay::support {

class MemoryFile final : public files::ByteReader {
public:
    explicit MemoryFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

    [[nodiscard]] int descriptor() const noexcept override { return -1; }  // there is no file that could be reopened
    [[nodiscard]] const std::string& path() const noexcept override { return path_; }
    [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
    [[nodiscard]] files::View view(std::uint64_t offset, std::size_t length, files::Buffer&) const override {
        if (offset > bytes_.size() || length > bytes_.size() - offset) return {{}, "past the end"};
        return {std::span(bytes_).subspan(offset, length), {}};
    }

private:
    std::string path_ = "memory";
    std::vector<std::byte> bytes_;
};

}  // namespace assay::support

// Fingerprint: one number for what a checkpoint holds, independent of sharding and of the order of its tensors.
//
// It is XXH3-128 over a record for each tensor, tensors sorted by name (bytewise):
//
//     name, 0x00, dtype as in the header, 0x00, "[d0,d1,..]", 0x00, XXH3-128 of its bytes (16 bytes, big-endian)
//
// It tells changed checkpoints apart; it does not defend against someone who wants two to collide.
// Source of the hash: xxHash 0.8, XXH3_128bits with seed 0, canonical (big-endian) form.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "datasets/checkpoints/tensor.hpp"

namespace assay::checkpoints {

using Digest = std::array<unsigned char, 16>;

[[nodiscard]] std::string to_hex(const Digest& digest);

// Hash of bytes that come in pieces; a copy goes on from where the original is. One thread at a time.
class ByteDigest {
public:
    ByteDigest();
    ~ByteDigest();
    ByteDigest(const ByteDigest& other);
    ByteDigest& operator=(const ByteDigest& other);
    ByteDigest(ByteDigest&&) noexcept;
    ByteDigest& operator=(ByteDigest&&) noexcept;

    void add(std::span<const std::byte> bytes) noexcept;
    [[nodiscard]] Digest value() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// `digests[i]` belongs to `tensors[i]`; names must be distinct. Any order gives the same result.
[[nodiscard]] Digest fingerprint(std::span<const Tensor> tensors, std::span<const Digest> digests);

}  // namespace assay::checkpoints

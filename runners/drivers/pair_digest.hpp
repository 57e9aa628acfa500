// PairDigest: hashes of two tensors that are read side by side; while their bytes are equal, one is made for both.
#pragma once

#include <optional>
#include <span>

#include "datasets/checkpoints/fingerprint.hpp"

namespace assay::runners {

class PairDigest {
public:
    // Bytes that follow on both sides; `equal` where the caller has found them equal.
    void add(std::span<const std::byte> source, std::span<const std::byte> target, bool equal) {
        if (!equal && !target_) target_ = source_;
        source_.add(source);
        if (target_) target_->add(target);
    }
    [[nodiscard]] const checkpoints::ByteDigest& source() const noexcept { return source_; }
    [[nodiscard]] const checkpoints::ByteDigest& target() const noexcept { return target_ ? *target_ : source_; }

private:
    checkpoints::ByteDigest source_;
    std::optional<checkpoints::ByteDigest> target_;  // once they differ
};

}  // namespace assay::runners

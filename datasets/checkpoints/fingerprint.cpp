#include "datasets/checkpoints/fingerprint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>
#ifdef ASSAY_XXHASH_DISPATCH
#include <xxh_x86dispatch.h>  // the library's own choice among SSE2, AVX2 and AVX-512, at run time
#endif

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

namespace assay::checkpoints {

struct ByteDigest::State {
    State() : xxh(XXH3_createState()) {
        if (xxh == nullptr) throw std::bad_alloc();
        XXH3_128bits_reset(xxh);
    }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    XXH3_state_t* xxh;
};

ByteDigest::ByteDigest() : state_(std::make_unique<State>()) {}
ByteDigest::~ByteDigest() = default;
ByteDigest::ByteDigest(const ByteDigest& other) : ByteDigest() {
    XXH3_copyState(state_->xxh, other.state_->xxh);
}
ByteDigest& ByteDigest::operator=(const ByteDigest& other) {
    XXH3_copyState(state_->xxh, other.state_->xxh);
    return *this;
}
ByteDigest::ByteDigest(ByteDigest&&) noexcept = default;
ByteDigest& ByteDigest::operator=(ByteDigest&&) noexcept = default;

void ByteDigest::add(std::span<const std::byte> bytes) noexcept {
#ifdef ASSAY_XXHASH_DISPATCH
    XXH3_128bits_update_dispatch(state_->xxh, bytes.data(), bytes.size());
#else
    XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
#endif
}

Digest ByteDigest::value() const noexcept {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_->xxh));
    Digest digest;
    std::memcpy(digest.data(), canonical.digest, digest.size());
    return digest;
}

std::string to_hex(const Digest& digest) { return fmt::format("{:02x}", fmt::join(digest, "")); }

Digest fingerprint(std::span<const Tensor> tensors, std::span<const Digest> digests) {
    assert(tensors.size() == digests.size());
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tensors[a].name < tensors[b].name; });
    ByteDigest all;
    std::string record;
    for (const std::uint32_t i : order) {
        const Tensor& tensor = tensors[i];
        record = tensor.name;
        record += '\0';
        record += to_string(tensor.dtype);
        record += '\0';
        record += fmt::format("[{}]", fmt::join(tensor.shape, ","));
        record += '\0';
        record.append(reinterpret_cast<const char*>(digests[i].data()), digests[i].size());
        all.add(std::as_bytes(std::span(record)));
    }
    return all.value();
}

}  // namespace assay::checkpoints

#include "harness/files/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "harness/error.hpp"
#include "harness/files/byte_reader.hpp"

namespace assay::files {
namespace {

void require(int done) {
    if (done != 1)
        throw Error("sha256 is not available: OpenSSL refused to compute it; is its configuration restricted?");
}

std::string hex_of(std::span<const unsigned char> digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * digest.size());
    for (const unsigned char byte : digest) {
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(bytes)));
    return hash.hex();
}

struct Sha256::State {
    State() : context(EVP_MD_CTX_new()) {
        require(context != nullptr ? EVP_DigestInit_ex(context, EVP_sha256(), nullptr) : 0);
    }
    ~State() { EVP_MD_CTX_free(context); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    require(EVP_DigestFinal_ex(state_->context, digest.data(), &length));
    return hex_of(std::span(digest).first(length));
}

std::string sha256_of_file(const std::string& path) {
    constexpr std::uint64_t read_at_once = std::uint64_t{4} << 20;
    const auto file = open_for_reading(path);
    Sha256 hash;
    Buffer buffer;
    for (std::uint64_t at = 0; at < file->size(); at += read_at_once) {
        const View view = file->view(at, static_cast<std::size_t>(std::min(read_at_once, file->size() - at)), buffer);
        if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", path, view.fault));
        hash.add(view.bytes);
    }
    return hash.hex();
}

}  // namespace assay::files

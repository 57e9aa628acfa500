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

constexpr std::uint64_t read_at_once = std::uint64_t{4} << 20;

[[noreturn]] void fail() {
    throw Error("sha256 is not available: OpenSSL refused to compute it; is its configuration restricted?");
}

std::string hex_of(const unsigned char* bytes, unsigned int length) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * length);
    for (unsigned int i = 0; i < length; ++i) {
        hex += digits[bytes[i] >> 4];
        hex += digits[bytes[i] & 15];
    }
    return hex;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) fail();
    return hex_of(digest.data(), length);
}

std::string sha256_of_file(const std::string& path) {
    const auto file = open_for_reading(path);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) fail();
    Buffer buffer;
    for (std::uint64_t at = 0; at < file->size(); at += read_at_once) {
        const View view = file->view(at, static_cast<std::size_t>(std::min(read_at_once, file->size() - at)), buffer);
        if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", path, view.fault));
        if (EVP_DigestUpdate(context.get(), view.bytes.data(), view.bytes.size()) != 1) fail();
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1) fail();
    return hex_of(digest.data(), length);
}

}  // namespace assay::files

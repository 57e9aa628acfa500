#include "harness/files/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "harness/error.hpp"

namespace assay::files {

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        throw Error("sha256 is not available: OpenSSL refused to compute it; is its configuration restricted?");
    }
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * length);
    for (unsigned int i = 0; i < length; ++i) {
        hex += digits[digest[i] >> 4];
        hex += digits[digest[i] & 15];
    }
    return hex;
}

}  // namespace assay::files

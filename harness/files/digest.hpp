// Digests of bytes in memory.
#pragma once

#include <string>
#include <string_view>

namespace assay::files {

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
// Throws assay::Error where the cryptographic library refuses to compute it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace assay::files

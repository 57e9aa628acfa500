// Digests of bytes in memory and in files.
#pragma once

#include <string>
#include <string_view>

namespace assay::files {

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
// Throws assay::Error where the cryptographic library refuses to compute it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// The same for the bytes of a file, read in pieces; also throws where it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace assay::files

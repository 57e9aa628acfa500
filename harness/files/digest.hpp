// Digests of bytes in memory and in files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace assay::files {

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
// Throws assay::Error where the cryptographic library refuses to compute it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// The same of bytes that come in pieces. Movable; one thread at a time.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void add(std::span<const std::byte> bytes);
    // Of all that was added. Call once, last.
    [[nodiscard]] std::string hex();

private:
    struct State;
    std::unique_ptr<State> state_;
};
// The same for the bytes of a file, read in pieces; also throws where it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace assay::files

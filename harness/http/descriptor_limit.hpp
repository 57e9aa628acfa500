// The process's limit on open descriptors (RLIMIT_NOFILE): each transfer in flight holds one.
#pragma once

#include <cstdint>

namespace assay::http {

// Raises the soft limit to the hard one, and returns the limit that then holds (a large number where there is none).
std::int64_t raise_descriptor_limit();

// How many transfers fit under `limit`, with room kept for files, the loop and name lookups; never negative.
[[nodiscard]] constexpr std::int64_t transfers_that_fit(std::int64_t limit) noexcept {
    return limit > 64 ? limit - 64 : 0;
}

}  // namespace assay::http

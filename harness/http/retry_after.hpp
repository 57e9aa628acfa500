// How long a server asked us to wait, from its response headers.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/http/headers.hpp"

namespace assay::http {

// Seconds, not clamped: may be negative (a date in the past) or absurd. Nothing where the headers do not say or say nonsense.
// In this order: retry-after-ms (milliseconds), retry-after (RFC 9110 10.2.3: seconds, here also with a fraction,
// or an HTTP date against `now_unix_s`), and the longest x-ratelimit-reset-* whose x-ratelimit-remaining-* is 0
// (durations as OpenAI writes them, "6m0s", "1.5s", "20ms"; a bare number is seconds, above 1e9 a unix time).
[[nodiscard]] std::optional<double> retry_after_s(const Headers& headers, std::int64_t now_unix_s);

}  // namespace assay::http

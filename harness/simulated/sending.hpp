// Sending: how the bytes of one reply reach the client: their framing, the pieces and the pace in which they are
// written, and when the connection breaks. Plain values, filled by behaviours before the reply starts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::simulated {

enum class Framing : unsigned char {
    chunked,  // Transfer-Encoding: chunked, a chunk an event
    length,   // Content-Length: the whole reply at once, when its last event is due
    close,    // the body ends with the connection, as HTTP/1.0 has it
};

enum class Split : unsigned char {
    none,        // as much as the socket takes
    bytes,       // Sending::split_bytes at a time
    characters,  // a write ends inside of each character of more than one byte
    cr,          // a write ends behind each CR
};

struct Sending {
    Framing framing = Framing::chunked;
    bool gathered = false;  // nothing before the last event is due, then all of it
    Split split = Split::none;
    std::size_t split_bytes = 1;
    std::chrono::nanoseconds pause{0};  // between two writes of a split reply
    bool finish_carries_content = false;  // the last token of the answer comes in the event with finish_reason
    std::optional<std::chrono::nanoseconds> idle_limit;  // closed after so long without a byte
    std::optional<std::chrono::nanoseconds> age_limit;   // closed at this age of the request
    std::optional<std::int64_t> full_speed_up_to;  // replies in flight; above it all are slower together: Crowd
};

// How many of these bytes (not none) the next write takes.
[[nodiscard]] std::size_t next_write(const Sending& sending, std::string_view bytes) noexcept;

}  // namespace assay::simulated

// The framing of a journal: one record a line,
//
//     {"seq":17,"xxh3":"0123456789abcdef","payload":{...}}\n
//
// seq      counts the records of a file from 1, without gaps: a line that is gone shows
// xxh3     XXH3-64 (xxHash 0.8, seed 0) of the payload's bytes, 16 lower-case hex digits
// payload  a JSON object without line feeds; what is in it is the writer's business
//
// Every line is JSON in itself, and the payload's place is found from the fixed prefix without a parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::journal {

inline constexpr std::int64_t max_payload_bytes = 64LL << 20;
inline constexpr std::int64_t max_seq = 999'999'999'999'999;
inline constexpr std::int64_t max_line_bytes = max_payload_bytes + 80;  // the frame and the line feed included

struct Frame {
    std::int64_t seq = 0;
    std::string_view payload;  // into the line
};

// What is wrong with a line.
enum class Fault : unsigned char { syntax, checksum, too_long };

[[nodiscard]] std::string_view to_string(Fault fault) noexcept;  // "no journal record", "checksum differs", ...

// Appends the framed record, line feed included. `payload` begins with '{', ends with '}' and holds no line feed.
void append_line(std::string& out, std::int64_t seq, std::string_view payload);

// The frame of a line (without its line feed), checksum verified; or what is wrong with it.
struct ParsedLine {
    std::optional<Frame> frame;
    Fault fault = Fault::syntax;  // where frame is unset
};
[[nodiscard]] ParsedLine parse_line(std::string_view line) noexcept;

// The sequence number that the beginning of a line claims; nothing is verified.
[[nodiscard]] std::optional<std::int64_t> claimed_seq(std::string_view beginning) noexcept;

}  // namespace assay::journal

// Reader: streams the records of a journal, and says what is wrong with it.
//
// Memory: one buffer of 1 MiB, grown to the longest line (at most max_line_bytes). A file may grow while it
// is read; what is read ends at the size it had when it was opened, unless a smaller end is given.
// Threads: one. Errors: assay::Error where the file cannot be opened or read; damage is data.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "harness/journal/frame.hpp"

namespace assay::journal {

// Bytes behind every payload handed out that may be read (their values mean nothing), as SIMD parsers need.
inline constexpr std::size_t payload_padding = 64;

struct Record {
    std::int64_t seq = 0;
    std::int64_t offset = 0;   // of the line's first byte in the file
    std::int64_t length = 0;   // of the line, line feed included
    std::string_view payload;  // valid until the visitor returns
};

// Something that is not as it should be. Nothing of it reaches the records.
struct Damage {
    enum class Kind : unsigned char {
        damaged_line,  // fault says how; its sequence number is unknown, `gap` tells afterwards what is lost
        gap,           // records first_seq..last_seq are not there (gone, or in damaged lines before this offset)
        repeated,      // a record whose number first_seq came before; set aside
        torn_tail,     // the file ends within a line: the writer cuts it off
    };
    Kind kind = Kind::damaged_line;
    std::int64_t offset = 0;
    std::int64_t length = 0;     // bytes; 0 for a gap
    std::int64_t first_seq = 0;  // gap, repeated
    std::int64_t last_seq = 0;
    Fault fault = Fault::syntax;  // damaged_line
};

// One line of words: "line at byte 120 (35 bytes): its checksum differs".
[[nodiscard]] std::string describe(const Damage& damage);

struct Scan {
    std::int64_t records = 0;
    std::int64_t next_seq = 1;     // for the writer that continues the file
    std::int64_t whole_bytes = 0;  // up to the last line feed; what follows is torn
    std::int64_t file_bytes = 0;
};

class Reader {
public:
    explicit Reader(std::string path);
    ~Reader();
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;

    using OnRecord = std::function<void(const Record&)>;
    using OnDamage = std::function<void(const Damage&)>;

    // Reads from the beginning. Both are called in the order of the file.
    Scan scan(const OnRecord& on_record, const OnDamage& on_damage);

    // Reads one record again, from an offset and length that scan() gave, verified anew. The payload is valid
    // until the next call. Throws assay::Error where it is no longer there.
    Record at(std::int64_t offset, std::int64_t length);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::journal

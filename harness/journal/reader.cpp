#include "harness/journal/reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "harness/error.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::journal {
namespace {

constexpr std::size_t first_buffer = 1U << 20;
// More than a line: what is longer is dropped before the buffer is full.
constexpr std::size_t largest_buffer = static_cast<std::size_t>(max_line_bytes) + first_buffer;

// Bytes of the file from `begin` on, in one buffer with padding behind its end.
class Window {
public:
    Window(int fd, const std::string& path, std::int64_t end) : fd_(fd), path_(path), end_(end) { grow(first_buffer); }

    [[nodiscard]] std::string_view bytes() const noexcept { return {buffer_.get() + from_, filled_ - from_}; }
    [[nodiscard]] bool at_end() const noexcept { return read_to_ >= end_; }

    void drop(std::size_t count) noexcept { from_ += count; }

    // Appends more of the file. False at the end of it.
    bool more() {
        if (at_end()) return false;
        if (from_ > 0) {
            std::memmove(buffer_.get(), buffer_.get() + from_, filled_ - from_);
            filled_ -= from_;
            from_ = 0;
        }
        if (filled_ == capacity_) grow(std::min(2 * capacity_, largest_buffer));
        const auto wanted = std::min<std::int64_t>(static_cast<std::int64_t>(capacity_ - filled_), end_ - read_to_);
        for (;;) {
            const ssize_t got = ::pread(fd_, buffer_.get() + filled_, static_cast<std::size_t>(wanted), read_to_);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) {
                throw Error(fmt::format("cannot read '{}' at byte {}: {}", path_, read_to_,
                                        std::generic_category().message(errno)));
            }
            if (got == 0) end_ = read_to_;  // it became shorter meanwhile
            filled_ += static_cast<std::size_t>(got);
            read_to_ += got;
            return got > 0;
        }
    }

private:
    void grow(std::size_t capacity) {
        auto larger = std::make_unique_for_overwrite<char[]>(capacity + payload_padding);
        std::memset(larger.get() + capacity, 0, payload_padding);
        if (filled_ > 0) std::memcpy(larger.get(), buffer_.get(), filled_);
        buffer_ = std::move(larger);
        capacity_ = capacity;
    }

    int fd_;
    const std::string& path_;
    std::int64_t end_;
    std::int64_t read_to_ = 0;
    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t from_ = 0;
    std::size_t filled_ = 0;
};

// Takes lines off a window. A line that is too long is skipped without being held.
class Lines {
public:
    explicit Lines(Window& window) : window_(window) {}

    struct Line {
        std::int64_t offset = 0;
        std::int64_t length = 0;  // line feed included
        std::string_view text;    // without it; empty where too_long
        bool ended = false;       // false: the file ends within the line
        bool too_long = false;
    };

    // False at the end of the file.
    bool next(Line& line) {
        window_.drop(static_cast<std::size_t>(held_));
        held_ = 0;
        line = Line{offset_, 0, {}, false, false};
        std::size_t searched = 0;
        for (;;) {
            const std::string_view bytes = window_.bytes();
            const void* found = searched < bytes.size()
                                    ? std::memchr(bytes.data() + searched, '\n', bytes.size() - searched)
                                    : nullptr;
            if (found != nullptr) {
                finish(line, static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) + 1, true);
                return true;
            }
            searched = bytes.size();
            if (static_cast<std::int64_t>(searched) > max_line_bytes) {
                line.too_long = true;
                line.length += static_cast<std::int64_t>(searched);
                window_.drop(searched);
                searched = 0;
            }
            if (window_.more()) continue;
            if (window_.bytes().empty() && line.length == 0) return false;
            finish(line, window_.bytes().size(), false);
            return true;
        }
    }

private:
    void finish(Line& line, std::size_t count, bool ended) {
        held_ = static_cast<std::int64_t>(count);
        line.ended = ended;
        line.length += held_;
        if (line.length > max_line_bytes) line.too_long = true;
        if (!line.too_long) line.text = window_.bytes().substr(0, count - (ended ? 1 : 0));
        offset_ += line.length;
    }

    Window& window_;
    std::int64_t offset_ = 0;
    std::int64_t held_ = 0;  // bytes of the line handed out, still in the window
};

}  // namespace

std::string describe(const Damage& damage) {
    switch (damage.kind) {
        case Damage::Kind::damaged_line:
            return fmt::format("line at byte {} ({} bytes): {}", damage.offset, damage.length, to_string(damage.fault));
        case Damage::Kind::gap:
            if (damage.first_seq == damage.last_seq) {
                return fmt::format("record {} is missing before byte {}", damage.first_seq, damage.offset);
            }
            return fmt::format("records {} to {} are missing before byte {}", damage.first_seq, damage.last_seq,
                               damage.offset);
        case Damage::Kind::repeated:
            return fmt::format("line at byte {} ({} bytes): record {} is out of its order", damage.offset,
                               damage.length, damage.first_seq);
        case Damage::Kind::torn_tail:
            return fmt::format("the last line, at byte {} ({} bytes), was not written to its end", damage.offset,
                               damage.length);
    }
    return "";
}

struct Reader::Parts {
    std::string path;
    loop::FileDescriptor file;
    std::unique_ptr<char[]> one_line;
    std::int64_t one_line_capacity = 0;

    [[nodiscard]] std::optional<std::int64_t> seq_claimed_at(std::int64_t offset) const noexcept {
        std::array<char, 64> beginning{};
        const ssize_t got = ::pread(file.get(), beginning.data(), beginning.size(), offset);
        if (got <= 0) return std::nullopt;
        return claimed_seq({beginning.data(), static_cast<std::size_t>(got)});
    }
};

Reader::Reader(std::string path) : parts_(std::make_unique<Parts>()) {
    parts_->path = std::move(path);
    parts_->file = loop::FileDescriptor(::open(parts_->path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!parts_->file.open()) {
        throw Error(fmt::format("cannot open '{}': {}", parts_->path, std::generic_category().message(errno)));
    }
}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Scan Reader::scan(const OnRecord& on_record, const OnDamage& on_damage) {
    struct stat status {};
    if (::fstat(parts_->file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        throw Error(fmt::format("cannot read '{}': expected a regular file", parts_->path));
    }
    ::posix_fadvise(parts_->file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    Window window(parts_->file.get(), parts_->path, status.st_size);
    Lines lines(window);
    Scan scan;
    scan.file_bytes = status.st_size;
    std::int64_t damaged_since = 0;  // lines, since the last good record
    for (Lines::Line line; lines.next(line);) {
        Damage damage{Damage::Kind::damaged_line, line.offset, line.length, 0, 0, Fault::syntax};
        if (!line.ended) {
            damage.kind = Damage::Kind::torn_tail;
            on_damage(damage);
            break;
        }
        scan.whole_bytes = line.offset + line.length;
        const ParsedLine parsed = line.too_long ? ParsedLine{std::nullopt, Fault::too_long} : parse_line(line.text);
        if (!parsed.frame) {
            damage.fault = parsed.fault;
            on_damage(damage);
            ++damaged_since;
            continue;
        }
        const std::int64_t seq = parsed.frame->seq;
        if (seq < scan.next_seq) {
            damage.kind = Damage::Kind::repeated;
            damage.first_seq = damage.last_seq = seq;
            on_damage(damage);
            ++damaged_since;
            continue;
        }
        if (seq > scan.next_seq) {
            // The checksum does not cover the number. Where the next line goes on below it, the number is wrong.
            const auto following = parts_->seq_claimed_at(scan.whole_bytes);
            if (following && *following > scan.next_seq && *following <= seq) {
                on_damage(damage);
                ++damaged_since;
                continue;
            }
            on_damage({Damage::Kind::gap, line.offset, 0, scan.next_seq, seq - 1, Fault::syntax});
        }
        damaged_since = 0;
        scan.next_seq = seq + 1;
        ++scan.records;
        on_record({seq, line.offset, line.length, parsed.frame->payload});
    }
    scan.next_seq += damaged_since;
    return scan;
}

Record Reader::at(std::int64_t offset, std::int64_t length) {
    if (length > parts_->one_line_capacity) {
        parts_->one_line = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(length) + payload_padding);
        parts_->one_line_capacity = length;
        std::memset(parts_->one_line.get() + length, 0, payload_padding);
    }
    std::int64_t done = 0;
    while (done < length) {
        const ssize_t got = ::pread(parts_->file.get(), parts_->one_line.get() + done,
                                    static_cast<std::size_t>(length - done), offset + done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += got;
    }
    const std::string_view line(parts_->one_line.get(), static_cast<std::size_t>(done));
    const ParsedLine parsed = done == length && line.back() == '\n' ? parse_line(line.substr(0, line.size() - 1))
                                                                    : ParsedLine{std::nullopt, Fault::syntax};
    if (!parsed.frame) {
        throw Error(fmt::format("cannot read the record at byte {} of '{}' again: {}; was the file changed meanwhile?",
                                offset, parts_->path, to_string(parsed.fault)));
    }
    return {parsed.frame->seq, offset, length, parsed.frame->payload};
}

}  // namespace assay::journal

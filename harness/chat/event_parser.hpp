// EventParser: bytes of a text/event-stream to events, whatever the pieces they come in.
//
// Format: WHATWG HTML, "Server-sent events", 9.2.5 and 9.2.6. Lines end with LF, CRLF or CR and with nothing
// else; a byte order mark at the very start is skipped; a blank line dispatches. Bytes are not decoded.
// Fields beside data and event are ignored, but for `error`, which some servers write in place of an event.
// Each byte is looked at once; memory is what the current event needs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay::chat {

struct Event {
    std::string_view name;   // of the event field; empty where none
    std::string_view data;   // data lines joined with LF; valid during the call
    bool terminated = true;  // false: the stream ended before the blank line
    bool error_field = false;  // a line "error: ..." outside the standard; data is its value
};

class EventParser {
public:
    using Sink = std::function<void(const Event&)>;

    // `most_bytes` bounds the data and the unfinished line of one event.
    explicit EventParser(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // Calls sink for each event that these bytes complete. False once an event exceeds the bound: nothing more is parsed.
    bool feed(std::string_view bytes, const Sink& sink);

    // The stream is over: hands out what is left of an event as not terminated (the standard drops it).
    void finish(const Sink& sink);

    [[nodiscard]] bool too_large() const noexcept { return too_large_; }
    [[nodiscard]] std::size_t unknown_lines() const noexcept { return unknown_lines_; }  // lines of no known field

private:
    enum class Stays : bool { no, yes };  // whether a line's bytes last until the end of feed()

    void take_line(std::string_view line, Stays stays, const Sink& sink);
    void take_field(std::string_view name, std::string_view value, Stays stays, const Sink& sink);
    void take_data(std::string_view value, Stays stays);
    void keep_data();
    void dispatch(bool terminated, const Sink& sink);

    std::size_t most_bytes_;
    std::string line_;  // an unfinished line
    std::string data_;
    std::string_view data_in_piece_;  // all of the event's data so far, in the bytes being fed; data_ is then empty
    std::string name_;
    std::size_t unknown_lines_ = 0;
    bool has_data_ = false;
    bool first_line_ = true;
    bool after_cr_ = false;  // an LF that comes next belongs to the CR before it
    bool too_large_ = false;
};

}  // namespace assay::chat

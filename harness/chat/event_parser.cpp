#include "harness/chat/event_parser.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay::chat {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t kept_capacity = 64 << 10;  // after a larger event its memory is given back

// The ends of lines in a piece, looked for once however many lines it has.
class LineEnds {
public:
    explicit LineEnds(std::string_view bytes) : end_(bytes.data() + bytes.size()) {}

    // The first CR or LF at or behind `from`, or the end.
    const char* next(const char* from) {
        return std::min(next(from, '\n', lf_), next(from, '\r', cr_));
    }

private:
    const char* next(const char* from, char byte, const char*& found) const {
        if (found != nullptr && found >= from) return found;
        const void* at = from == end_ ? nullptr : std::memchr(from, byte, static_cast<std::size_t>(end_ - from));
        return found = at == nullptr ? end_ : static_cast<const char*>(at);
    }

    const char* end_;
    const char* lf_ = nullptr;
    const char* cr_ = nullptr;
};

}  // namespace

bool EventParser::feed(std::string_view bytes, const Sink& sink) {
    if (!bytes.empty() && after_cr_) {
        if (bytes.front() == '\n') bytes.remove_prefix(1);
        after_cr_ = false;
    }
    LineEnds ends(bytes);
    while (!bytes.empty() && !too_large_) {
        const char* end = ends.next(bytes.data());
        const auto length = static_cast<std::size_t>(end - bytes.data());
        if (line_.size() + data_.size() + data_in_piece_.size() + length > most_bytes_) {
            too_large_ = true;
            break;
        }
        if (length == bytes.size()) {
            line_.append(bytes);
            break;
        }
        if (line_.empty()) {
            take_line(bytes.substr(0, length), Stays::yes, sink);
        } else {
            line_.append(bytes.substr(0, length));
            take_line(line_, Stays::no, sink);
            line_.clear();
            if (line_.capacity() > kept_capacity) line_.shrink_to_fit();
        }
        const bool cr = *end == '\r';
        bytes.remove_prefix(length + 1);
        if (cr && bytes.empty()) after_cr_ = true;
        if (cr && !bytes.empty() && bytes.front() == '\n') bytes.remove_prefix(1);
    }
    keep_data();
    return !too_large_;
}

void EventParser::finish(const Sink& sink) {
    if (too_large_) return;
    if (!line_.empty()) {
        take_line(line_, Stays::no, sink);
        line_.clear();
    }
    dispatch(false, sink);
}

void EventParser::take_line(std::string_view line, Stays stays, const Sink& sink) {
    if (first_line_ && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    first_line_ = false;
    if (line.empty()) return dispatch(true, sink);
    const auto colon = line.find(':');
    if (colon == 0) return;
    if (colon == std::string_view::npos) return take_field(line, {}, stays, sink);
    std::string_view value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value, stays, sink);
}

// Almost every event is one data line, and comes in one piece: it is handed on from there, without a copy.
void EventParser::take_data(std::string_view value, Stays stays) {
    if (!has_data_ && stays == Stays::yes) {
        data_in_piece_ = value;
    } else {
        keep_data();
        if (has_data_) data_ += '\n';
        data_.append(value);
    }
    has_data_ = true;
}

void EventParser::keep_data() {
    if (!data_in_piece_.empty()) data_ = std::exchange(data_in_piece_, {});
}

void EventParser::take_field(std::string_view name, std::string_view value, Stays stays, const Sink& sink) {
    if (name == "data") {
        take_data(value, stays);
    } else if (name == "event") {
        name_ = value;
    } else if (name == "error") {
        Event event;
        event.data = value;
        event.error_field = true;
        sink(event);
    } else if (name != "id" && name != "retry") {
        ++unknown_lines_;
    }
}

void EventParser::dispatch(bool terminated, const Sink& sink) {
    if (has_data_) {
        Event event;
        event.name = name_;
        event.data = data_in_piece_.empty() ? std::string_view(data_) : data_in_piece_;
        event.terminated = terminated;
        sink(event);
    }
    has_data_ = false;
    data_in_piece_ = {};
    data_.clear();
    name_.clear();
    if (data_.capacity() > kept_capacity) data_.shrink_to_fit();
}

}  // namespace assay::chat

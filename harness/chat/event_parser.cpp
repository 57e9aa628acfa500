#include "harness/chat/event_parser.hpp"

#include <algorithm>

namespace assay::chat {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t kept_capacity = 64 << 10;  // after a larger event its memory is given back

}  // namespace

bool EventParser::feed(std::string_view bytes, const Sink& sink) {
    if (!bytes.empty() && after_cr_) {
        if (bytes.front() == '\n') bytes.remove_prefix(1);
        after_cr_ = false;
    }
    while (!bytes.empty() && !too_large_) {
        const auto end = std::find_if(bytes.begin(), bytes.end(), [](char c) { return c == '\n' || c == '\r'; });
        const auto length = static_cast<std::size_t>(end - bytes.begin());
        if (line_.size() + data_.size() + length > most_bytes_) {
            too_large_ = true;
            break;
        }
        if (end == bytes.end()) {
            line_.append(bytes);
            break;
        }
        if (line_.empty()) {
            take_line(bytes.substr(0, length), sink);
        } else {
            line_.append(bytes.substr(0, length));
            take_line(line_, sink);
            line_.clear();
            if (line_.capacity() > kept_capacity) line_.shrink_to_fit();
        }
        const bool cr = *end == '\r';
        bytes.remove_prefix(length + 1);
        if (cr && bytes.empty()) after_cr_ = true;
        if (cr && !bytes.empty() && bytes.front() == '\n') bytes.remove_prefix(1);
    }
    return !too_large_;
}

void EventParser::finish(const Sink& sink) {
    if (too_large_) return;
    if (!line_.empty()) {
        take_line(line_, sink);
        line_.clear();
    }
    dispatch(false, sink);
}

void EventParser::take_line(std::string_view line, const Sink& sink) {
    if (first_line_ && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    first_line_ = false;
    if (line.empty()) return dispatch(true, sink);
    const auto colon = line.find(':');
    if (colon == 0) return;
    if (colon == std::string_view::npos) return take_field(line, {}, sink);
    std::string_view value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value, sink);
}

void EventParser::take_field(std::string_view name, std::string_view value, const Sink& sink) {
    if (name == "data") {
        if (has_data_) data_ += '\n';
        data_.append(value);
        has_data_ = true;
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
        event.data = data_;
        event.terminated = terminated;
        sink(event);
    }
    has_data_ = false;
    data_.clear();
    name_.clear();
    if (data_.capacity() > kept_capacity) data_.shrink_to_fit();
}

}  // namespace assay::chat

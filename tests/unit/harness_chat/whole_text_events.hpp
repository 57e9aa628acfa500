// The slow and obvious twin of EventParser: the whole text of an event stream to its events, straight from the words
// of the standard (WHATWG HTML 9.2.6), with regular steps over whole strings. Shares nothing with the parser.
#pragma once

#include <string>
#include <vector>

namespace assay::chat::tests {

struct PlainEvent {
    std::string name;
    std::string data;
    bool terminated = true;
    bool error_field = false;
    friend bool operator==(const PlainEvent&, const PlainEvent&) = default;
};

[[nodiscard]] inline std::vector<std::string> lines_of(std::string text, std::string& unfinished) {
    for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at + 1)) text.replace(at, 2, "\n");
    for (char& c : text) c = c == '\r' ? '\n' : c;
    std::vector<std::string> lines;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
        lines.push_back(text.substr(0, end));
        text = text.substr(end + 1);
    }
    unfinished = text;
    return lines;
}

[[nodiscard]] inline std::vector<PlainEvent> whole_text_events(std::string text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text = text.substr(3);
    std::string unfinished;
    std::vector<std::string> lines = lines_of(text, unfinished);
    if (!unfinished.empty()) lines.push_back(unfinished);
    std::vector<PlainEvent> events;
    std::vector<std::string> data;
    std::string name;
    const auto dispatch = [&](bool terminated) {
        std::string joined;
        for (std::size_t i = 0; i < data.size(); ++i) joined += (i == 0 ? "" : "\n") + data[i];
        if (!data.empty()) events.push_back({name, joined, terminated, false});
        data.clear();
        name.clear();
    };
    for (const std::string& line : lines) {
        if (line.empty()) {
            dispatch(true);
            continue;
        }
        if (line[0] == ':') continue;
        const auto colon = line.find(':');
        const std::string field = line.substr(0, colon);
        std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
        if (!value.empty() && value[0] == ' ') value = value.substr(1);
        if (field == "data") data.push_back(value);
        if (field == "event") name = value;
        if (field == "error") events.push_back({"", value, true, true});
    }
    dispatch(false);
    return events;
}

}  // namespace assay::chat::tests

// Compact JSON, appended to a string. Fast enough for replies of megabytes; UTF-8 stays as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::runs {

// Quotes and escapes what JSON demands (quote, backslash, U+0000..U+001F). Ill-formed UTF-8 becomes
// U+FFFD, one for each maximal part. Never holds a line feed.
void append_json_string(std::string& out, std::string_view utf8);

// Writes one object, member by member, from its construction to close().
class ObjectText {
public:
    explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }

    void text(std::string_view key, std::string_view value);
    void text_unless_empty(std::string_view key, std::string_view value) {
        if (!value.empty()) text(key, value);
    }
    void integer(std::string_view key, std::int64_t value);
    void integer(std::string_view key, const std::optional<std::int64_t>& value) {
        if (value) integer(key, *value);
    }
    void number(std::string_view key, double value);  // shortest round trip; left out where it is not finite
    void number(std::string_view key, const std::optional<double>& value) {
        if (value) number(key, *value);
    }
    void boolean(std::string_view key, bool value);
    void begin(std::string_view key);  // what the caller appends next to the string is the value
    void close() { out_ += '}'; }

private:
    std::string& out_;
    bool first_ = true;
};

}  // namespace assay::runs

#include "datasets/questions/python_json.hpp"

#include <fmt/format.h>

#include <iterator>

#include "datasets/questions/unicode.hpp"

namespace assay::questions {
namespace {

void append_escaped(std::string& out, char32_t code_point) {
    switch (code_point) {
        case U'"': out += "\\\""; return;
        case U'\\': out += "\\\\"; return;
        case U'\n': out += "\\n"; return;
        case U'\r': out += "\\r"; return;
        case U'\t': out += "\\t"; return;
        case U'\b': out += "\\b"; return;
        case U'\f': out += "\\f"; return;
        default: break;
    }
    if (code_point >= 0x20 && code_point <= 0x7E) {
        out += static_cast<char>(code_point);
    } else if (code_point <= 0xFFFF) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(code_point));
    } else {
        const unsigned beyond = static_cast<unsigned>(code_point) - 0x10000;
        fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (beyond >> 10), 0xDC00 + (beyond & 0x3FF));
    }
}

}  // namespace

std::string python_json_string(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const CodePoint first = first_code_point(text);
        append_escaped(out, first.value);
        text.remove_prefix(first.length);
    }
    return out + '"';
}

}  // namespace assay::questions

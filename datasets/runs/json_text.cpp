#include "datasets/runs/json_text.hpp"

#include <simdjson.h>

#include <array>
#include <charconv>
#include <cmath>

#include "harness/files/utf8.hpp"

namespace assay::runs {
namespace {

constexpr std::array<bool, 256> escaped_bytes() {
    std::array<bool, 256> escaped{};
    for (std::size_t c = 0; c < 0x20; ++c) escaped[c] = true;
    escaped['"'] = escaped['\\'] = true;
    return escaped;
}

constexpr std::array<bool, 256> is_escaped = escaped_bytes();

void append_escape(std::string& out, unsigned char c) {
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: break;
    }
    constexpr std::string_view hex = "0123456789abcdef";
    out.append("\\u00").append(1, hex[c >> 4]).append(1, hex[c & 15]);
}

void append_utf8(std::string& out, std::uint32_t code_point) {
    const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (code_point < 0x80) {
        byte(code_point);
    } else if (code_point < 0x800) {
        byte(0xc0 | (code_point >> 6));
        byte(0x80 | (code_point & 0x3f));
    } else if (code_point < 0x10000) {
        byte(0xe0 | (code_point >> 12));
        byte(0x80 | ((code_point >> 6) & 0x3f));
        byte(0x80 | (code_point & 0x3f));
    } else {
        byte(0xf0 | (code_point >> 18));
        byte(0x80 | ((code_point >> 12) & 0x3f));
        byte(0x80 | ((code_point >> 6) & 0x3f));
        byte(0x80 | (code_point & 0x3f));
    }
}

std::string repaired(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) append_utf8(out, files::next_code_point(text, at));
    return out;
}

void append_well_formed(std::string& out, std::string_view text) {
    const bool* const escaped = is_escaped.data();
    const char* const end = text.data() + text.size();
    const char* run = text.data();  // of bytes that stay as they are
    for (const char* at = run; at != end; ++at) {
        if (!escaped[static_cast<unsigned char>(*at)]) continue;
        out.append(run, at);
        append_escape(out, static_cast<unsigned char>(*at));
        run = at + 1;
    }
    out.append(run, end);
}

}  // namespace

void append_json_string(std::string& out, std::string_view utf8) {
    out.reserve(out.size() + utf8.size() + utf8.size() / 16 + 2);
    out += '"';
    if (simdjson::validate_utf8(utf8.data(), utf8.size())) {
        append_well_formed(out, utf8);
    } else {
        append_well_formed(out, repaired(utf8));
    }
    out += '"';
}

void ObjectText::begin(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    append_json_string(out_, key);
    out_ += ':';
}

void ObjectText::text(std::string_view key, std::string_view value) {
    begin(key);
    append_json_string(out_, value);
}

void ObjectText::integer(std::string_view key, std::int64_t value) {
    begin(key);
    out_ += std::to_string(value);
}

void ObjectText::number(std::string_view key, double value) {
    if (!std::isfinite(value)) return;
    begin(key);
    std::array<char, 32> digits{};
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void ObjectText::boolean(std::string_view key, bool value) {
    begin(key);
    out_ += value ? "true" : "false";
}

}  // namespace assay::runs

#include "harness/files/python_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "harness/files/utf8.hpp"

namespace assay::files {
namespace {

void append_unit(std::string& out, std::uint32_t unit) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += hex[(unit >> shift) & 15U];
}

void append_code_point(std::string& out, std::uint32_t code_point) {
    switch (code_point) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        case '\f': out += "\\f"; return;
        case '\b': out += "\\b"; return;
        default: break;
    }
    if (code_point >= 0x20 && code_point <= 0x7e) {
        out += static_cast<char>(code_point);
    } else if (code_point < 0x10000) {
        append_unit(out, code_point);
    } else {
        append_unit(out, 0xd800 + ((code_point - 0x10000) >> 10));
        append_unit(out, 0xdc00 + ((code_point - 0x10000) & 0x3ff));
    }
}

// Printable ASCII that stands for itself.
constexpr std::array<bool, 256> plain = [] {
    std::array<bool, 256> table{};
    for (std::size_t byte = 0x20; byte <= 0x7e; ++byte) table[byte] = byte != '"' && byte != '\\';
    return table;
}();

}  // namespace

std::string python_json_string(std::string_view utf8) {
    std::string out;
    out.reserve(utf8.size() + utf8.size() / 16 + 2);
    out += '"';
    for (std::size_t at = 0; at < utf8.size();) {
        // Replies are megabytes of plain text: whole stretches of it are copied at once.
        std::size_t end = at;
        while (end < utf8.size() && plain[static_cast<unsigned char>(utf8[end])]) ++end;
        out.append(utf8, at, end - at);
        at = end;
        if (at < utf8.size()) append_code_point(out, next_code_point(utf8, at));
    }
    out += '"';
    return out;
}

std::string python_json_float(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
    const std::string_view scientific(text.data(), static_cast<std::size_t>(end - text.data()));

    const bool negative = scientific.front() == '-';
    const std::size_t e = scientific.find('e');
    int exponent = 0;
    const std::size_t number = e + (scientific[e + 1] == '+' ? 2 : 1);  // from_chars takes no plus sign
    std::from_chars(scientific.data() + number, scientific.data() + scientific.size(), exponent);
    std::string digits(1, scientific[negative ? 1 : 0]);
    if (const std::size_t point = scientific.find('.'); point != std::string_view::npos) {
        digits += scientific.substr(point + 1, e - point - 1);
    }

    std::string out(negative ? "-" : "");
    const int count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        out += digits.front();
        if (count > 1) out.append(".").append(digits, 1);
        out += exponent < 0 ? "e-" : "e+";
        if (std::abs(exponent) < 10) out += '0';
        out += std::to_string(std::abs(exponent));
    } else if (exponent < 0) {
        out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    } else if (exponent + 1 >= count) {
        out.append(digits).append(static_cast<std::size_t>(exponent + 1 - count), '0').append(".0");
    } else {
        const auto whole = static_cast<std::size_t>(exponent + 1);
        out.append(digits, 0, whole).append(".").append(digits, whole);
    }
    return out;
}

}  // namespace assay::files

#include "harness/chat/text_repair.hpp"

#include <algorithm>
#include <optional>

namespace assay::chat {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Sequence {
    std::size_t length;
    bool well_formed;
};

// The well-formed sequence or the maximal ill-formed part at the front of `bytes` (The Unicode Standard, table 3-7).
Sequence front_sequence(std::string_view bytes) {
    const auto byte = [&bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {1, true};
    if (lead < 0xC2 || lead > 0xF4) return {1, false};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned char lowest = 0x80;
    unsigned char highest = 0xBF;
    if (lead == 0xE0) lowest = 0xA0;
    if (lead == 0xED) highest = 0x9F;
    if (lead == 0xF0) lowest = 0x90;
    if (lead == 0xF4) highest = 0x8F;
    for (std::size_t at = 1; at < length; ++at) {
        if (at >= bytes.size() || byte(at) < lowest || byte(at) > highest) return {at, false};
        lowest = 0x80;
        highest = 0xBF;
    }
    return {length, true};
}

// The value of "\uXXXX" at the front of `json`.
std::optional<unsigned> escape(std::string_view json) {
    if (json.size() < 6 || json[0] != '\\' || json[1] != 'u') return std::nullopt;
    unsigned value = 0;
    for (const char c : json.substr(2, 4)) {
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0) return std::nullopt;
        value = value * 16 + static_cast<unsigned>(digit);
    }
    return value;
}

bool is_high(unsigned value) {
    return value >= 0xD800 && value <= 0xDBFF;
}

bool is_low(unsigned value) {
    return value >= 0xDC00 && value <= 0xDFFF;
}

}  // namespace

Repaired repair_utf8(std::string_view bytes) {
    Repaired repaired;
    repaired.text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Sequence next = front_sequence(bytes);
        repaired.text.append(next.well_formed ? bytes.substr(0, next.length) : replacement);
        if (!next.well_formed) ++repaired.replaced;
        bytes.remove_prefix(next.length);
    }
    return repaired;
}

Repaired repair_surrogate_escapes(std::string_view json) {
    Repaired repaired;
    repaired.text.reserve(json.size());
    const auto take = [&](std::size_t length) {
        repaired.text.append(json.substr(0, length));
        json.remove_prefix(std::min(length, json.size()));
    };
    while (!json.empty()) {
        if (json[0] != '\\') {
            take(1);
            continue;
        }
        const auto value = escape(json);
        if (!value || (!is_high(*value) && !is_low(*value))) {
            take(value ? 6 : 2);
            continue;
        }
        const auto second = escape(json.substr(6));
        if (is_high(*value) && second && is_low(*second)) {
            take(12);
            continue;
        }
        repaired.text.append("\\ufffd");
        ++repaired.replaced;
        json.remove_prefix(6);
    }
    return repaired;
}

std::string_view cut_utf8(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

}  // namespace assay::chat

#include "reports/terminal/visible.hpp"

#include <fmt/format.h>

#include "harness/files/utf8.hpp"

namespace assay::reports {
namespace {

// What the decoder gives for ill-formed bytes, and the well-formed bytes of the same character.
constexpr char32_t replacement = 0xFFFD;
constexpr std::string_view replacement_bytes = "\xEF\xBF\xBD";

bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

// Characters that reorder, hide or separate text without a glyph of their own. The joiners U+200C and U+200D stay:
// several scripts cannot be written without them.
bool is_unseen(char32_t c) {
    return c == 0x061C || c == 0x180E || c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE007F);
}

void append_escape(std::string& out, char32_t c) {
    switch (c) {
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: break;
    }
    const auto number = static_cast<unsigned>(c);
    if (number < 0x80) {
        out += fmt::format("\\x{:02x}", number);
    } else if (number < 0x10000) {
        out += fmt::format("\\u{:04x}", number);
    } else {
        out += fmt::format("\\U{:08x}", number);
    }
}

std::string shown(std::string_view text, bool keep_lines) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char32_t c = files::next_code_point(text, at);
        const std::string_view bytes = text.substr(start, at - start);
        if (c == replacement && bytes != replacement_bytes) {
            for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        } else if (keep_lines && c == '\n') {
            out += '\n';
        } else if (keep_lines && c == '\t') {
            out += "    ";
        } else if (keep_lines && c == '\r' && at < text.size() && text[at] == '\n') {
            // The line feed that follows ends the line.
        } else if (is_control(c) || is_unseen(c)) {
            append_escape(out, c);
        } else {
            out += bytes;
        }
    }
    return out;
}

}  // namespace

std::string visible(std::string_view text) {
    return shown(text, false);
}

std::string visible_lines(std::string_view text) {
    return shown(text, true);
}

}  // namespace assay::reports

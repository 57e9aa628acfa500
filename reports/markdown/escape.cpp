#include "reports/markdown/escape.hpp"

namespace assay::reports {
namespace {

// "pass@1": nobody is called so.
bool is_a_number_of(std::string_view text, std::size_t at) {
    const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    return at > 0 && text[at - 1] >= 'a' && text[at - 1] <= 'z' && is_digit(at + 1);
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
    constexpr std::string_view markup = "\\`*_{}[]<>#|~$!&";
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '@' && !is_a_number_of(text, i)) {
            out += "&#64;";
        } else if (c == ':' && text.substr(i).starts_with("://")) {
            out += "&#58;";
        } else {
            if (markup.find(c) != std::string_view::npos) out += '\\';
            out += c;
        }
    }
    return out;
}

}  // namespace assay::reports

#include "reports/terminal/style.hpp"

namespace assay::reports {
namespace {

constexpr std::string_view code_of(Tint tint) {
    switch (tint) {
        case Tint::plain: return "";
        case Tint::bold: return "1";
        case Tint::dim: return "2";
        case Tint::red: return "31";
        case Tint::green: return "32";
        case Tint::yellow: return "33";
    }
    return "";
}

}  // namespace

bool colour_allowed(bool is_terminal, const char* no_color, const char* term) noexcept {
    const bool refused = no_color != nullptr && *no_color != '\0';
    const bool capable = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
    return is_terminal && !refused && capable;
}

std::string tinted(std::string_view text, Tint tint, const Look& look) {
    const std::string_view code = code_of(tint);
    if (!look.colour || code.empty() || text.empty()) return std::string(text);
    std::string out = "\033[";
    out += code;
    out += 'm';
    out += text;
    out += "\033[0m";
    return out;
}

}  // namespace assay::reports

#include "reports/terminal/fact.hpp"

#include "reports/terminal/width.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

constexpr int least_room_for_words = 36;

}  // namespace

std::string fact(std::string_view label, std::string_view value, std::string_view words, const Look& look, Tint tint) {
    const std::string name = padded_right(label, fact_label_width);
    std::string head = name + std::string(value);
    const int indent = fact_label_width + fact_value_width;
    const bool narrow = look.width > 0 && look.width < indent + least_room_for_words;
    if (narrow) {
        std::string out = wrapped(name, value, look.width, 4);
        const std::size_t plain = out.find('\n');
        out = tinted(out.substr(0, plain), tint, look) + out.substr(plain);
        return words.empty() ? out : out + wrapped("    ", words, look.width, 4);
    }
    const std::string first = words.empty() ? head : padded_right(head, indent - 1) + " ";
    const std::string out = wrapped(first, words, look.width, indent);
    return tinted(out.substr(0, head.size()), tint, look) + out.substr(head.size());
}

}  // namespace assay::reports

#include "reports/terminal/fact.hpp"

#include "reports/terminal/width.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

constexpr int least_room_for_words = 36;

}  // namespace

std::string fact_text(const Fact& fact, const Look& look) {
    const std::string name = padded_right((fact.detail ? "  " : "") + fact.label, fact_label_width);
    const int indent = fact_label_width + fact_value_width;
    if (look.width > 0 && look.width < indent + least_room_for_words) {
        const std::string out = wrapped(name, fact.value, look.width, 4);
        const std::size_t end = out.find('\n');
        const std::string words = fact.words.empty() ? "" : wrapped("    ", fact.words, look.width, 4);
        return tinted(out.substr(0, end), fact.tint, look) + out.substr(end) + words;
    }
    const std::string head = name + fact.value;
    const std::string first = fact.words.empty() ? head : padded_right(head, indent - 1) + " ";
    const std::string out = wrapped(first, fact.words, look.width, indent);
    return tinted(out.substr(0, head.size()), fact.tint, look) + out.substr(head.size());
}

}  // namespace assay::reports

#include "harness/chat/think_tags.hpp"

#include <string_view>

namespace assay::chat {
namespace {

constexpr std::string_view opening = "<think>";
constexpr std::string_view closing = "</think>";

// `text` after an opening tag at its start, or nullptr data where there is none.
std::string_view after_opening(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos || !text.substr(from).starts_with(opening)) return {};
    return text.substr(from + opening.size());
}

}  // namespace

Split split_think_tags(std::string& content) {
    Split split;
    const std::string_view text = content;
    const auto close = text.rfind(closing);
    const bool closed = close != std::string_view::npos;
    const std::string_view front = closed ? text.substr(0, close) : text;
    const std::string_view inside = after_opening(front);
    const bool opened = inside.data() != nullptr;
    if (!closed && !opened) return split;
    split.found = true;
    split.reasoning = opened ? inside : front;
    content = closed ? content.substr(close + closing.size()) : std::string();
    return split;
}

}  // namespace assay::chat

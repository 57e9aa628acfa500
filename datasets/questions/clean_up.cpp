#include "datasets/questions/clean_up.hpp"

#include <cassert>

#include "datasets/questions/question.hpp"
#include "datasets/questions/unicode.hpp"

namespace assay::questions {
namespace {

std::string replace_once_through(std::string_view text, std::string_view from, std::string_view to) {
    std::string out;
    for (;;) {
        const std::size_t at = text.find(from);
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        out += to;
        text.remove_prefix(at + from.size());
    }
}

}  // namespace

std::string clean_text(const Cell& text) {
    if (!text) return " ";
    return replace_once_through(replace_once_through(python_strip(*text), " [title]", ". "), "  ", " ");
}

std::optional<std::string> clean_difficulty(const Cell& text) {
    if (!text) return std::nullopt;
    const std::size_t parenthesis = (*text).find('(');
    if (parenthesis == std::string::npos) return *text;
    return std::string(python_strip_end(std::string_view(*text).substr(0, parenthesis)));
}

std::string stripped_text(const Cell& text) { return text ? std::string(python_strip(*text)) : " "; }

std::string pandas_text(const Cell& text) { return text ? *text : "nan"; }

std::string written_text(const Cell& text) { return with_plain_newlines(text.written()); }

std::string with_plain_newlines(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r') {
            out += text[i];
        } else if (i + 1 == text.size() || text[i + 1] != '\n') {
            out += '\n';
        }
    }
    return out;
}

std::string options_text(const std::vector<std::string>& choices) {
    assert(choices.size() <= 26);
    std::string out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) out += '\n';
        out += letter_of(static_cast<int>(i));
        out += ") ";
        out += choices[i];
    }
    return out;
}

std::string problem_text(std::string_view question, const std::vector<std::string>& choices) {
    const std::size_t first = question.find_first_not_of('\n');
    const std::size_t last = question.find_last_not_of('\n');
    const std::string_view bare = first == std::string_view::npos ? "" : question.substr(first, last - first + 1);
    return std::string(bare) + "\n\n" + options_text(choices);
}

}  // namespace assay::questions

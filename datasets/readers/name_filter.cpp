#include "datasets/readers/name_filter.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

#include "datasets/checkpoints/name_glob.hpp"

namespace assay::readers {
namespace {

using checkpoints::fnmatch_case;

constexpr std::string_view outer = "language_model.";
constexpr std::size_t longest_expression = 1000;

// Texts that every match of a regular expression must hold, in this order: plain characters of the top level that no
// repeat makes optional. Empty where there is an alternative at the top level. `at_start` is the one that must stand
// at the very start.
struct Required {
    std::vector<std::string> runs;
    std::string at_start;
};

// The place of the bracket that closes the class or count which opens at `begin`, or the end.
std::size_t end_of_group(std::string_view expression, std::size_t begin) {
    const char close = expression[begin] == '[' ? ']' : '}';
    std::size_t i = begin + 1;
    if (close == ']' && i < expression.size() && expression[i] == '^') ++i;
    if (close == ']' && i < expression.size() && expression[i] == ']') ++i;
    for (; i < expression.size() && expression[i] != close; ++i) i += expression[i] == '\\' ? 1 : 0;
    return i;
}

// An expression of Python's in ECMAScript's spelling; nothing where there is none.
struct Translated {
    std::string text;
    bool any_case = false;
};

std::optional<Translated> translated(std::string_view python) {
    Translated out;
    if (python.starts_with("(?i)")) {
        out.any_case = true;
        python.remove_prefix(4);
    }
    for (std::size_t i = 0; i < python.size(); ++i) {
        const std::string_view rest = python.substr(i);
        if (rest.starts_with("\\A") || rest.starts_with("\\Z")) {
            out.text += rest[1] == 'A' ? '^' : '$';
            ++i;
        } else if (rest.size() > 1 && rest[0] == '\\' && rest[1] >= '1' && rest[1] <= '9') {
            return std::nullopt;  // what a group matched: no polynomial time
        } else if (rest.starts_with("\\")) {
            out.text += rest.substr(0, 2);
            ++i;
        } else if (rest.starts_with("(?P<") && rest.find('>') != std::string_view::npos) {
            out.text += '(';
            i += rest.find('>');
        } else if (rest.starts_with("(?") && !rest.starts_with("(?:") && !rest.starts_with("(?=") && !rest.starts_with("(?!")) {
            return std::nullopt;
        } else {
            out.text += rest[0];
        }
    }
    return out;
}

Required required_by(std::string_view expression) {
    Required found;
    std::string run;
    bool at_start = true;
    int depth = 0;
    const auto end_run = [&] {
        if (at_start) found.at_start = run;
        at_start = false;
        if (run.size() > 1) found.runs.push_back(run);
        run.clear();
    };
    for (std::size_t i = 0; i < expression.size(); ++i) {
        char c = expression[i];
        if (c == '[' || c == '{') {
            end_run();
            i = end_of_group(expression, i);
            continue;
        }
        const bool escaped = c == '\\' && i + 1 < expression.size();
        if (escaped) c = expression[++i];
        if (escaped && (c == 'x' || c == 'u')) return {};  // a character by its number
        const bool literal = escaped ? std::string_view(".-_/[](){}*+?^$|\\").find(c) != std::string_view::npos
                                     : std::string_view(".[](){}*+?^$|").find(c) == std::string_view::npos;
        if (!escaped && c == '|' && depth == 0) return {};
        if (!escaped && c == '(') ++depth;
        if (!escaped && c == ')') --depth;
        const bool repeated =
            i + 1 < expression.size() && std::string_view("*?{").find(expression[i + 1]) != std::string_view::npos;
        if (literal && depth == 0 && !repeated) {
            run += c;
        } else {
            end_run();
        }
    }
    end_run();
    return found;
}

bool holds_in_order(std::string_view name, const std::vector<std::string>& runs) {
    std::size_t from = 0;
    for (const std::string& run : runs) {
        const auto found = name.find(run, from);
        if (found == std::string_view::npos) return false;
        from = found + run.size();
    }
    return true;
}

// Nothing but names and '*': then SGLang's regular expression is a glob.
bool is_plain_glob(std::string_view entry) {
    return std::all_of(entry.begin(), entry.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == '*' || c == ':' || c == '/';
    });
}

std::string sglang_expression(std::string_view entry) {
    std::string text;
    for (const char c : entry) text += c == '.' ? "\\." : c == '*' ? ".*" : std::string(1, c);
    return text;
}

}  // namespace

struct NameFilter::Expression {
    std::regex regex;
    std::vector<std::string> required;
};

NameFilter::NameFilter(std::string entry, Matching matching) : entry_(std::move(entry)), matching_(matching) {
    std::string text;
    if (matching_ == Matching::compressed_tensors) {
        if (!entry_.starts_with("re:")) {
            prefix_ = entry_;
            return;
        }
        text = entry_.substr(3);
    } else if (matching_ == Matching::sglang_modelopt && !is_plain_glob(entry_)) {
        text = sglang_expression(entry_);
    } else {
        if (matching_ == Matching::modelopt) prefix_ = entry_.substr(0, entry_.find_first_of("*?["));
        return;
    }
    const std::optional<Translated> known =
        text.size() > longest_expression ? std::nullopt : translated(text);
    unread_ = !known;
    if (unread_) {
        prefix_.clear();
        return;
    }
    auto flags = std::regex_constants::ECMAScript | std::regex_constants::__polynomial;
    Required required = required_by(known->text);
    if (known->any_case) {
        flags |= std::regex_constants::icase;
        required = {};
    }
    if (matching_ == Matching::compressed_tensors) prefix_ = required.at_start;
    try {
        // Polynomial: an entry from outside must not take exponential time.
        expression_ = std::make_unique<Expression>(
            Expression{std::regex(known->text, flags), std::move(required.runs)});
    } catch (const std::regex_error&) {
        broken_ = true;
    }
}

NameFilter::~NameFilter() = default;
NameFilter::NameFilter(NameFilter&&) noexcept = default;

bool NameFilter::matches_whole(std::string_view name) const {
    if (expression_ == nullptr) return !broken_ && !unread_ && fnmatch_case(entry_, name);
    return holds_in_order(name, expression_->required) && std::regex_match(name.begin(), name.end(), expression_->regex);
}

bool NameFilter::matches(std::string_view name) const {
    const bool inner = name.starts_with(outer);
    const std::string_view without = inner ? name.substr(outer.size()) : name;
    switch (matching_) {
        case Matching::modelopt: return entry_ == name || fnmatch_case(entry_, name);
        case Matching::vllm_modelopt:
            return entry_ == name || name.find(entry_) != std::string_view::npos || fnmatch_case(entry_, name) ||
                   (inner && without.find(entry_) != std::string_view::npos);
        case Matching::sglang_modelopt: {
            if (matches_whole(name) || (inner && matches_whole(without))) return true;
            for (std::size_t begin = 0; begin <= name.size();) {
                const std::size_t end = std::min(name.find('.', begin), name.size());
                if (matches_whole(name.substr(begin, end - begin))) return true;
                begin = end + 1;
            }
            return false;
        }
        case Matching::compressed_tensors: break;
    }
    if (expression_ == nullptr) return !broken_ && !unread_ && entry_ == name;
    return holds_in_order(name, expression_->required) &&
           std::regex_search(name.begin(), name.end(), expression_->regex, std::regex_constants::match_continuous);
}

}  // namespace assay::readers

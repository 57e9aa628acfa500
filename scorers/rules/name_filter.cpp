#include "scorers/rules/name_filter.hpp"

#include <regex>

namespace assay::rules {
namespace {

constexpr std::string_view outer = "language_model.";
constexpr std::size_t longest_expression = 1000;

// The longest text that every match must hold: plain characters of the top level that no repeat makes optional.
// Empty where there is an alternative at the top level.
std::string required_text(std::string_view expression) {
    std::string best;
    std::string run;
    int depth = 0;
    const auto end_run = [&] {
        if (run.size() > best.size()) best = run;
        run.clear();
    };
    for (std::size_t i = 0; i < expression.size(); ++i) {
        char c = expression[i];
        const bool escaped = c == '\\' && i + 1 < expression.size();
        if (escaped) c = expression[++i];
        const bool literal = escaped ? std::string_view(".-_/[](){}*+?^$|\\").find(c) != std::string_view::npos
                                     : std::string_view(".[](){}*+?^$|").find(c) == std::string_view::npos;
        if (!escaped && c == '|' && depth == 0) return {};
        if (!escaped && (c == '(' || c == '[')) ++depth;
        if (!escaped && (c == ')' || c == ']')) --depth;
        const bool repeated =
            i + 1 < expression.size() && std::string_view("*?{").find(expression[i + 1]) != std::string_view::npos;
        if (literal && depth == 0 && !repeated) {
            run += c;
        } else {
            end_run();
        }
    }
    end_run();
    return best;
}

bool class_matches(std::string_view inside, char c) {
    const bool negated = inside.starts_with('!');
    if (negated) inside.remove_prefix(1);
    bool found = false;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (i + 2 < inside.size() && inside[i + 1] == '-') {
            found = found || (inside[i] <= c && c <= inside[i + 2]);
            i += 2;
        } else {
            found = found || inside[i] == c;
        }
    }
    return found != negated;
}

// How many characters of the pattern one step takes, and whether it takes `c`. The pattern is not at a '*'.
std::size_t step(std::string_view pattern, char c, bool& taken) {
    if (pattern[0] == '?') {
        taken = true;
        return 1;
    }
    const auto close =
        pattern[0] == '[' ? pattern.find(']', pattern.size() > 1 && pattern[1] == '!' ? 3 : 2) : std::string_view::npos;
    if (close != std::string_view::npos) {
        taken = class_matches(pattern.substr(1, close - 1), c);
        return close + 1;
    }
    taken = pattern[0] == c;
    return 1;
}

}  // namespace

struct NameFilter::Expression {
    std::regex regex;
    std::string required;
};

NameFilter::NameFilter(std::string entry, Matching matching) : entry_(std::move(entry)), matching_(matching) {
    if (matching_ != Matching::compressed_tensors || !entry_.starts_with("re:")) return;
    const std::string text = entry_.substr(3);
    broken_ = text.size() > longest_expression;
    if (broken_) return;
    try {
        // Polynomial: an entry from outside must not take exponential time.
        expression_ = std::make_unique<Expression>(
            Expression{std::regex(text, std::regex_constants::ECMAScript | std::regex_constants::__polynomial),
                       required_text(text)});
    } catch (const std::regex_error&) {
        broken_ = true;
    }
}

NameFilter::~NameFilter() = default;
NameFilter::NameFilter(NameFilter&&) noexcept = default;

bool NameFilter::matches(std::string_view name) const {
    if (matching_ == Matching::modelopt) return entry_ == name || fnmatch_case(entry_, name);
    if (matching_ == Matching::vllm_modelopt) {
        const auto one = [&](std::string_view prefix) {
            return entry_ == prefix || prefix.find(entry_) != std::string_view::npos || fnmatch_case(entry_, prefix);
        };
        return one(name) || (name.starts_with(outer) && one(name.substr(outer.size())));
    }
    if (expression_ == nullptr) return !broken_ && entry_ == name;
    if (name.find(expression_->required) == std::string_view::npos) return false;
    return std::regex_search(name.begin(), name.end(), expression_->regex, std::regex_constants::match_continuous);
}

bool fnmatch_case(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t mark = 0;
    while (n < name.size()) {
        bool taken = false;
        std::size_t length = 0;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = n;
            continue;
        }
        if (p < pattern.size()) length = step(pattern.substr(p), name[n], taken);
        if (taken) {
            p += length;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace assay::rules

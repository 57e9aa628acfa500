#include "datasets/checkpoints/name_glob.hpp"

namespace assay::checkpoints {
namespace {

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

std::string only_stars(std::string_view glob) {
    std::string out;
    for (const char c : glob) {
        if (c == '[' || c == '?') {
            out += std::string("[") + c + "]";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace assay::checkpoints

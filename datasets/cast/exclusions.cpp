#include "datasets/cast/exclusions.hpp"

#include <algorithm>
#include <set>

#include "datasets/checkpoints/name_pattern.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;

// Length of the shortest leading part of `name`, ended before a dot or at its end, that begins none of `others`, which are
// sorted; npos where even the whole name does.
std::size_t lonely_length(const std::string& name, const std::set<std::string>& others) {
    for (std::size_t dot = name.find('.');; dot = name.find('.', dot + 1)) {
        const std::string part = name.substr(0, dot);
        const auto place = others.lower_bound(part);
        if (place == others.end() || !place->starts_with(part)) return part.size();
        if (dot == std::string::npos) return dot;
    }
}

// '*' matches any characters, dots too; nothing else is special.
bool glob_matches(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

// fnmatch takes brackets and question marks for patterns.
std::string glob_escaped(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '[' || c == '?') {
            out += std::string("[") + c + "]";
        } else {
            out += c;
        }
    }
    return out;
}

std::string regex_of(std::string_view pattern) {
    std::string out;
    for (const char c : pattern) {
        if (c == '*') {
            out += "\\d+";
        } else {
            if (std::string_view("\\.+?()[]{}^$|").find(c) != std::string_view::npos) out += '\\';
            out += c;
        }
    }
    return out;
}

}  // namespace

Exclusions exclusions(const std::vector<std::string_view>& quantized, const std::vector<std::string_view>& plain) {
    std::set<std::string> folded;
    for (const std::string_view name : quantized) folded.insert(fold_numbers(name).key);
    std::set<std::string> globs;
    std::set<std::string> regexes;
    std::set<std::string> seen;
    for (const std::string_view name : plain) {
        const std::string key = fold_numbers(name).key;
        const std::size_t length = lonely_length(key, folded);
        if (length == std::string::npos) {
            // Other layers have this very weight quantized: this one is named in full.
            globs.insert("*" + glob_escaped(name));
            regexes.insert("re:" + regex_of(name) + "$");
            continue;
        }
        const std::string part = key.substr(0, length);
        if (!seen.insert(part).second) continue;
        const std::string glob = part + "*";
        const bool clashes = std::any_of(quantized.begin(), quantized.end(),
                                         [&](std::string_view one) { return glob_matches(glob, one); });
        // A wildcard for a number matches more than numbers.
        globs.insert(clashes ? "*" + glob_escaped(name) : glob);
        if (clashes) seen.erase(part);
        regexes.insert("re:" + regex_of(part) + ".*");
    }
    return {{globs.begin(), globs.end()}, {regexes.begin(), regexes.end()}};
}

std::vector<std::string_view> plain_linears(const Opened& opened) {
    constexpr std::string_view suffix = ".weight";
    std::vector<std::string_view> names;
    for (const std::uint32_t index : opened.recognition.plain) {
        const Tensor& tensor = opened.checkpoint.tensors[index];
        const bool real = tensor.dtype == Dtype::BF16 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::F32;
        if (!real || tensor.shape.size() != 2 || !tensor.name.ends_with(suffix) ||
            tensor.name.find("embed") != std::string::npos)
            continue;
        names.push_back(std::string_view(tensor.name).substr(0, tensor.name.size() - suffix.size()));
    }
    return names;
}

}  // namespace assay::cast

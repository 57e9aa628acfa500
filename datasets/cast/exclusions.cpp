#include "datasets/cast/exclusions.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "datasets/checkpoints/name_glob.hpp"
#include "datasets/checkpoints/name_pattern.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;

using Names = std::set<std::string>;

bool begins_one(const std::string& part, const Names& names) {
    const auto place = names.lower_bound(part);
    return place != names.end() && place->starts_with(part);
}

// How many leading parts of a name, between dots, it takes to begin none of `others`; none where even all of them do.
std::optional<std::size_t> lonely_parts(const std::string& name, const Names& others) {
    std::size_t parts = 1;
    for (std::size_t dot = name.find('.');; dot = name.find('.', dot + 1), ++parts) {
        if (!begins_one(name.substr(0, dot), others)) return parts;
        if (dot == std::string::npos) return std::nullopt;
    }
}

// The first so many parts of a name.
std::string leading(const std::string& name, std::size_t parts) {
    std::size_t end = name.find('.');
    while (--parts > 0 && end != std::string::npos) end = name.find('.', end + 1);
    return name.substr(0, end);
}

// Names that a server gives a quantized weight beside its own: SGLang and vLLM call Kimi-K3's block_sparse_moe mlp.
std::vector<std::string> names_of(std::string_view module) {
    std::vector<std::string> names{std::string(module)};
    constexpr std::string_view block = ".block_sparse_moe.";
    const auto at = module.find(block);
    if (at != std::string_view::npos) names.push_back(std::string(module).replace(at, block.size(), ".mlp."));
    return names;
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

// Servers ask with and without the outermost part of a name, so that a pattern leaves it open where it can.
std::string regex_for(const std::string& part, const Names& quantized) {
    constexpr std::string_view outer = "language_model.";
    const std::string inner = part.starts_with(outer) ? part.substr(outer.size()) : part;
    const bool clashes = std::any_of(quantized.begin(), quantized.end(),
                                     [&](const std::string& name) { return name.find(inner) != std::string::npos; });
    return clashes ? "re:" + regex_of(part) + ".*" : "re:.*" + regex_of(inner) + ".*";
}

}  // namespace

Exclusions exclusions(const std::vector<std::string_view>& quantized, const std::vector<std::string_view>& plain) {
    Names own;    // of quantized weights, numbers folded
    Names given;  // and those that servers give them
    Names exact;  // the same, numbers as they are
    for (const std::string_view module : quantized) {
        own.insert(fold_numbers(module).key);
        for (const std::string& name : names_of(module)) {
            given.insert(fold_numbers(name).key);
            exact.insert(name);
        }
    }
    std::set<std::string> globs;
    std::set<std::string> regexes;
    Names seen;
    for (const std::string_view name : plain) {
        const std::string key = fold_numbers(name).key;
        const auto parts = lonely_parts(key, own);
        std::string part = parts ? leading(key, *parts) : std::string();
        // Where another layer has quantized weights under such a name, this layer's number stays.
        if (parts && begins_one(part, given)) part = leading(std::string(name), *parts);
        if (parts && seen.count(part) != 0) continue;
        const std::string glob = only_stars(part) + "*";
        // A wildcard for a number matches more than numbers.
        const bool clashes = !parts || begins_one(part, part.find('*') == std::string::npos ? exact : given) ||
                             std::any_of(exact.begin(), exact.end(),
                                         [&](const std::string& one) { return fnmatch_case(glob, one); });
        if (clashes) {
            globs.insert("*" + only_stars(name));
            regexes.insert("re:" + regex_of(name) + "$");
            continue;
        }
        seen.insert(part);
        globs.insert(glob);
        regexes.insert(regex_for(part, given));
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

// NameFilter: one entry of ignore, targets or exclude_modules, matched against a name in a reader's own way.
//
// | matching           | an entry matches a name where |
// |--------------------|-------------------------------|
// | compressed_tensors | it is the name, or is "re:" and a regular expression that matches at the name's start (Python's re.match) |
// | modelopt           | it is the name, or matches it as a glob (Python's fnmatch) |
// | vllm_modelopt      | it is the name, stands anywhere in it, or matches it as a glob; the second also without "language_model." |
// | sglang_modelopt    | with '.' escaped and '*' as '.*' it is a regular expression that matches the whole name, or one part of it between dots; also without a leading "language_model." |
//
// What servers do beyond that with fused layers and banks is in the readers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace assay::readers {

enum class Matching : unsigned char { compressed_tensors, modelopt, vllm_modelopt, sglang_modelopt };

class NameFilter {
public:
    // Whatever the entry holds; one that is no regular expression matches nothing, and `broken` says so. Neither does one
    // that is longer than 1,000 characters or uses what only Python's expressions have and is not known here (look-behind,
    // named references, verbose): `unread` says so. Known are (?i), (?P<name>..), \A and \Z.
    NameFilter(std::string entry, Matching matching);
    ~NameFilter();
    NameFilter(NameFilter&&) noexcept;

    [[nodiscard]] bool matches(std::string_view name) const;
    [[nodiscard]] const std::string& entry() const noexcept { return entry_; }
    [[nodiscard]] bool broken() const noexcept { return broken_; }
    [[nodiscard]] bool unread() const noexcept { return unread_; }
    // What every name that matches begins with; empty where that is not known. For compressed_tensors and modelopt.
    [[nodiscard]] const std::string& literal_prefix() const noexcept { return prefix_; }

private:
    struct Expression;
    [[nodiscard]] bool matches_whole(std::string_view name) const;

    std::string entry_;
    Matching matching_;
    bool broken_ = false;
    bool unread_ = false;
    std::string prefix_;
    std::unique_ptr<Expression> expression_;
};

}  // namespace assay::readers

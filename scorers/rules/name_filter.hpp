// NameFilter: the ways in which readers match a module's name against an entry of ignore or exclude_modules.
//
// Sources: compressed-tensors 0.12 utils/match.py (exact, or "re:" with Python's re.match), vLLM modelopt.py (exact,
// substring, fnmatch; also without a leading "language_model."), Model Optimizer (fnmatch).
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace assay::rules {

enum class Matching : unsigned char { compressed_tensors, vllm_modelopt, modelopt };

class NameFilter {
public:
    // Whatever the entry holds; one that is no regular expression matches nothing, and `broken` says so.
    NameFilter(std::string entry, Matching matching);
    ~NameFilter();
    NameFilter(NameFilter&&) noexcept;

    [[nodiscard]] bool matches(std::string_view name) const;
    [[nodiscard]] const std::string& entry() const noexcept { return entry_; }
    [[nodiscard]] bool broken() const noexcept { return broken_; }

private:
    struct Expression;
    std::string entry_;
    Matching matching_;
    bool broken_ = false;
    std::unique_ptr<Expression> expression_;
};

// Python's fnmatch.fnmatchcase: * ? [abc] [!abc], the whole name.
[[nodiscard]] bool fnmatch_case(std::string_view pattern, std::string_view name);

}  // namespace assay::rules

// Names of layers and experts folded: "layers.3.w1" and "layers.4.w1" are "layers.{3..4}.w1".
//
// Folded are the numbers that stand alone between dots; the range tells their least and greatest, not that all occur.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::checkpoints {

struct NumberSpan {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

// A name with '*' for each number that stands alone, and the numbers.
struct FoldedName {
    std::string key;
    std::vector<std::uint64_t> numbers;
};

[[nodiscard]] FoldedName fold_numbers(std::string_view name);
// One span for each folded number of the key.
[[nodiscard]] std::string unfold_numbers(const std::string& key, const std::vector<NumberSpan>& spans);

struct NamePattern {
    std::string pattern;
    std::string first;  // the first name given that fits it
    std::uint64_t count = 0;
};

// One pattern for all names that differ in such numbers alone, ordered by key.
[[nodiscard]] std::vector<NamePattern> fold_names(const std::vector<std::string_view>& names);

}  // namespace assay::checkpoints

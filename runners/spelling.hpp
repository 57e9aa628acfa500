// The nearest of a list of names to one that was mistyped.
#pragma once

#include <string>
#include <vector>

namespace assay::runners {

// The candidate with the smallest edit distance to `typed` (insertions, deletions, substitutions), the first of
// several; empty where none is within a third of the word's length (at least 2, at most 3).
[[nodiscard]] std::string nearest_name(const std::string& typed, const std::vector<std::string>& candidates);

}  // namespace assay::runners

// Globs over names of weights, as configurations list them.
#pragma once

#include <string>
#include <string_view>

namespace assay::checkpoints {

// Python's fnmatch.fnmatchcase: * ? [abc] [!abc], the whole name; '*' matches dots too.
[[nodiscard]] bool fnmatch_case(std::string_view pattern, std::string_view name);

// The same glob with its brackets and question marks taken as they are; '*' stays what it is.
[[nodiscard]] std::string only_stars(std::string_view glob);

}  // namespace assay::checkpoints

// Modeling: the one line of Kimi-K3's modeling code that does not fit its own checkpoint.
//
// A_log is stored with as many entries as a head has dimensions (128), the first num_heads (96) of which count; the code
// allocates num_heads, so that loading it fails.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::cast {

inline constexpr const char* modeling_file = "modeling_kimi_linear.py";

struct ModelingFix {
    std::string text;  // the whole file, changed
    std::string diff;  // what was changed, as a unified diff
};

// Builds A_log at head_dim, where the text has the one known form of that statement, once. Nothing otherwise.
[[nodiscard]] std::optional<ModelingFix> fix_a_log(std::string_view text);

}  // namespace assay::cast

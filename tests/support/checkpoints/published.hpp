// Published files of moonshotai/Kimi-K3 that tests read where they are at hand: in the folder that the environment
// variable ASSAY_KIMI_K3 names, or beside the project.
#pragma once

#include <string>

namespace assay::support {

// Path of one of them, or empty.
[[nodiscard]] std::string published_kimi_k3(const std::string& name);

inline constexpr const char* published_kimi_k3_missing =
    "the published Kimi-K3 files are not at hand: set ASSAY_KIMI_K3 to their folder";

}  // namespace assay::support

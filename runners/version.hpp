// The version of this program.
#pragma once

namespace assay::runners {

inline constexpr const char* version = ASSAY_VERSION;

}  // namespace assay::runners

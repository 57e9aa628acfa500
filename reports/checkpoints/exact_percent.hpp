// Private to this folder: a share that is never flattered by rounding.
#pragma once

#include <cstdint>
#include <string>

namespace assay::reports {

// "99.9999 %": cut, not rounded, to four digits, so that only the whole prints as 100.0000; "-" of nothing.
[[nodiscard]] std::string exact_percent(std::uint64_t part, std::uint64_t whole);

}  // namespace assay::reports

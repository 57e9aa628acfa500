// Private to this folder: a share that prints as 100.0000 % only where it is the whole.
#pragma once

#include <cstdint>
#include <string>

namespace assay::reports {

// "99.9131 %", cut and not rounded to four digits; "-" of nothing.
[[nodiscard]] std::string exact_percent(std::uint64_t part, std::uint64_t whole);

}  // namespace assay::reports

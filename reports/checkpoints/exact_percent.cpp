#include "reports/checkpoints/exact_percent.hpp"

#include <fmt/format.h>

namespace assay::reports {

std::string exact_percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    const auto millionths = static_cast<std::uint64_t>(static_cast<__uint128_t>(part) * 1'000'000 / whole);
    return fmt::format("{}.{:04} %", millionths / 10'000, millionths % 10'000);
}

}  // namespace assay::reports

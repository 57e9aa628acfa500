// Sample: which rows of a weight, and which parts of a tensor, a sampled audit reads.
//
// Every weight and tensor is visited: its rows are cut into as many strata of equal length as runs are needed, and one
// run of at most 64 rows lies at random in each. What is drawn depends on seed and name alone, never on threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::runners {

struct Sample {
    double fraction = 1;  // above 0, up to 1
    std::uint64_t seed = 0;
};

struct RowRun {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

inline constexpr std::uint64_t longest_run = 64;

// Runs of `length` rows, ascending and apart; all of them in one where nothing is sampled. At least one row is drawn
// where there is one.
[[nodiscard]] std::vector<RowRun> runs_of(std::uint64_t length, const std::optional<Sample>& sample,
                                       std::string_view name);

// "1%", "0.5 %" or "0.01". Throws assay::Error where that is no share above 0 and up to 1.
[[nodiscard]] double share_from(std::string_view text);

}  // namespace assay::runners

// Do two runs answer differently, letter by letter? Right and wrong alone miss a wrong answer that became another wrong one.
//
// As ExcessFlips (agreement.hpp), where two answers differ if their letters do; no answer is a letter of its own. The excess
// estimates the mean squared distance of the two runs' distributions over letters, halved, without bias: 0 for one system.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/agreement.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

struct LetterFlips {
    ExcessFlips flips;
    // Exact, one-sided: that much excess from one system, whose answers to a question fell to either run by chance. For equal
    // numbers of seeds, up to most_seeds_of_letter_test.
    std::optional<double> p;
};
inline constexpr std::size_t most_seeds_of_letter_test = 24;

// Over the given rows, whose cells are all scored. Absent with one seed on a side, or no row.
[[nodiscard]] std::optional<LetterFlips> letter_flips(const SeedTable& a, const SeedTable& b, std::span<const std::size_t> rows);

}  // namespace assay::statistics

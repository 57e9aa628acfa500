// The difference of two proportions on the same questions, one run each: pA - pB.
//
//              B right    B wrong
//   A right     both       a_only       n = both + a_only + b_only + neither > 0
//   A wrong     b_only     neither
//
// Score interval and test: Tango 1998. Wilson-based: Newcombe 1998, method 10, with the continuity-corrected phi.
// Simple: Agresti and Min 2005 (half a question added to each cell).
#pragma once

#include <cstdint>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct PairedCells {
    std::int64_t both = 0;
    std::int64_t a_only = 0;
    std::int64_t b_only = 0;
    std::int64_t neither = 0;
};

[[nodiscard]] double paired_difference(const PairedCells& cells);
[[nodiscard]] Interval paired_wald(const PairedCells& cells, double level);
[[nodiscard]] Interval agresti_min(const PairedCells& cells, double level);

// Tango's z for the hypothesis pA - pB = difference, -1 < difference < 1; 0 where nothing varies under it. At 0 it is McNemar's z.
[[nodiscard]] double tango_z(const PairedCells& cells, double difference);
[[nodiscard]] Interval tango(const PairedCells& cells, double level);

[[nodiscard]] double newcombe_phi(const PairedCells& cells);
[[nodiscard]] Interval newcombe(const PairedCells& cells, double level);

}  // namespace assay::statistics

#include "scorers/statistics/mcnemar.hpp"

#include <algorithm>
#include <cmath>

#include "scorers/statistics/lattice.hpp"

namespace assay::statistics {

McNemar mcnemar(std::int64_t b, std::int64_t c) {
    const std::int64_t n = b + c;
    McNemar m;
    if (n == 0) return m;
    const Lattice heads = sum_of_copies(Lattice{0, {0.5, 0.5}}, n);
    const std::int64_t fewer = std::min(b, c);
    m.p_two_sided = std::min(1.0, 2 * heads.below(fewer + 1));
    m.p_a_better = heads.at_least(b);
    m.mid_p_two_sided = b == c ? 1 - heads.at(fewer) : 2 * heads.below(fewer) + heads.at(fewer);
    const double difference = static_cast<double>(b - c);
    m.z = difference / std::sqrt(static_cast<double>(n));
    m.chi_squared = std::pow(std::max(0.0, std::fabs(difference) - 1), 2) / static_cast<double>(n);
    return m;
}

}  // namespace assay::statistics

#include "scorers/breaks/clusters.hpp"

#include <algorithm>

namespace assay::breaks {

std::optional<Cluster> cluster_of(std::vector<double> seconds) {
    const auto all = static_cast<std::int64_t>(seconds.size());
    std::erase_if(seconds, [](double age) { return !(age >= shortest_s); });
    std::sort(seconds.begin(), seconds.end());
    std::size_t from = 0;
    std::size_t best_from = 0;
    std::size_t best = 0;
    for (std::size_t end = 1; end <= seconds.size(); ++end) {
        while (seconds[end - 1] - seconds[from] > 2 * half_width_s) ++from;
        if (end - from <= best) continue;
        best = end - from;
        best_from = from;
    }
    const auto within = static_cast<std::int64_t>(best);
    if (within < fewest || 2 * within < all) return std::nullopt;
    return Cluster{seconds[best_from + best / 2], within, all};
}

}  // namespace assay::breaks

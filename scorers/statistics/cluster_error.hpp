// Standard errors of a mean over questions that come in clusters or strata. Values and labels run in parallel.
//
// Clusters (subdomains): questions that may go together. Robust errors CR0 and CR1 (with C/(C-1)), the delete-a-cluster
// jackknife CV3 centred at the full mean, and Miller's form (arXiv 2411.00640). Below about 40 clusters take them as a
// check of sensitivity, not as the headline. Strata (domains): a fixed mix; only the spread within counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::statistics {

struct ClusterError {
    double mean = 0;
    int clusters = 0;
    double independent = 0;  // sd / sqrt(n), as if there were no clusters
    double miller = 0;
    double cr0 = 0;
    double cr1 = 0;
    double jackknife = 0;
};
// Two clusters or more.
[[nodiscard]] ClusterError cluster_error(std::span<const double> values, std::span<const int> cluster);

struct StratifiedError {
    double mean = 0;
    double error = 0;           // sqrt(sum (n_h/n)^2 s_h^2 / n_h)
    std::vector<double> means;  // by stratum, in order of label
};
// Two values or more in each stratum.
[[nodiscard]] StratifiedError stratified_error(std::span<const double> values, std::span<const int> stratum);

// Variance of the grand mean when questions and seeds are both resampled (Owen and Eckles 2012, arXiv 1106.2125), in
// closed form; on the safe side where seeds are no more than labels. right[q * seeds + s] is 0 or 1.
[[nodiscard]] double pigeonhole_variance(std::span<const int> right, std::int64_t seeds);

}  // namespace assay::statistics
